import type { Transaction } from "@purser/db";
import { createConcurrencyLimit } from "@purser/platform";
import type { JobHandler } from "@purser/platform/jobs";
import type { BankingPlatform } from "../../context.ts";
import { type Revocation, bankingJobs } from "../../job-definitions.ts";
import { type Access, BankError, type BankProvider } from "../../ports.ts";
import {
  type ConnectionRow,
  accessToEndOrRenew,
  findConsent,
  listConsentRows,
  revokeConsents,
} from "../store.ts";
import { withConsentLock } from "./consent-lock.ts";

/** Revokes the consents of a connection except the one in use: here at once, at the provider through the outbox. */
export async function endConsents(
  { clock, outbox, settings, logger }: Pick<BankingPlatform, "clock" | "outbox" | "settings" | "logger">,
  transaction: Transaction,
  connection: Pick<ConnectionRow, "organizationId" | "id" | "provider" | "institutionId">,
  inUse: string | null,
): Promise<void> {
  const { organizationId, id, provider, institutionId } = connection;
  const consents = await listConsentRows(transaction, organizationId, [id]);
  for (const consent of consents) {
    if (consent.status !== "AUTHORIZED" || consent.id === inUse) continue;
    // The sealed job carries the token, because the row's token is erased before the provider is called.
    const access = accessToEndOrRenew(settings.encryptionKeys, institutionId, consent);
    if (access.token === null && consent.token !== null) {
      const log = { connectionId: id, consentId: consent.id };
      logger.warn(log, "The key of a consent that ends is lost, so it may stay in force at the provider");
    }
    await outbox.enqueue(transaction, bankingJobs.revoke, { provider, access });
  }
  await revokeConsents(transaction, connection, clock.now(), inUse);
}

/** The most revocations that run in a process at once: half of the connections of the locks, so that people can connect. */
const maxRevocations = 2;

/** Returns the handler of the job `banking.revoke`. */
export function revocations(platform: BankingPlatform): JobHandler<Revocation> {
  const limit = createConcurrencyLimit(maxRevocations);
  return (revocation, { last }) => limit("revocations", () => revokeAtBank(platform, revocation, last));
}

/** Revokes a consent at the bank, unless it was given again meanwhile. */
function revokeAtBank(
  platform: BankingPlatform,
  { provider, access, mayBePending }: Revocation,
  isLastAttempt: boolean,
): Promise<void> {
  const { organizationId, consentId } = access;
  return withConsentLock(platform, { organizationId, provider, consentId }, async () => {
    const consent = await findConsent(platform.db, organizationId, provider, { id: consentId, hashes: [] });
    if (consent?.status === "AUTHORIZED") return;
    const bank = await platform.banks.at(provider);
    if (mayBePending && (await bank.consentStatus(access)).status !== "authorized") return;
    if (await revokeIfFound(bank, access, isLastAttempt)) return;
    const message =
      "The provider does not know a consent that has ended here. It may be in force in another account there";
    platform.logger.warn({ provider, organizationId, consentId }, message);
  });
}

/**
 * Revokes a consent, unless it has already ended. Returns whether the provider knows it. One that does not find a consent may
 * have been asked with the credentials of another application, so only the last attempt, hours later, takes that for its end.
 */
async function revokeIfFound(bank: BankProvider, access: Access, isLastAttempt: boolean): Promise<boolean> {
  try {
    await bank.revoke(access);
  } catch (error) {
    if (isLastAttempt && BankError.is(error, "consent_not_found")) return false;
    if (!BankError.is(error, "reauthorization_required")) throw error;
  }
  return true;
}
