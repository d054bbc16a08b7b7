import { confirmLock, whileRenewing } from "@purser/platform";
import type { BankingPlatform } from "../../context.ts";
import type { ProviderName } from "../../ports.ts";

/** Identifies a consent at its provider, under its permanent id. */
interface LockedConsent {
  organizationId: string;
  provider: ProviderName;
  consentId: string;
}

/**
 * Runs `work` while nothing else connects this consent or ends it at its provider. The job that ends it looks at our records
 * before it calls the provider, and a connection is recorded after such a call: without the lock, the job could end the
 * consent that a person has just connected. Throws UNAVAILABLE if the lock is not free in time.
 */
export function withConsentLock<Result>(
  platform: Pick<BankingPlatform, "bankLocks" | "logger">,
  { organizationId, provider, consentId }: LockedConsent,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `bank consent ${provider} ${organizationId} ${consentId}`;
  return platform.bankLocks.run({ name, provider }, (transaction) =>
    whileRenewing(platform, () => confirmLock(transaction), work),
  );
}
