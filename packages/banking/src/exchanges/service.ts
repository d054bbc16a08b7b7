import { addMs, dayMs, errorText } from "@purser/core";
import { retryWhileUnavailable } from "@purser/platform";
import type { BankingPlatform } from "../context.ts";
import { type Revocation, bankingJobs } from "../job-definitions.ts";
import {
  BankError,
  type BankProvider,
  type ConsentReference,
  type ExchangedConsent,
  type ProviderName,
} from "../ports.ts";
import {
  type ExchangeRow,
  findExchange,
  insertExchange,
  takeExchangesBefore,
  unsealExchange,
} from "./store.ts";

/** A single-use secret of a person, and its keyed hashes. */
export interface Secret extends ConsentReference {
  provider: ProviderName;
  hashes: string[];
}

/**
 * Exchanges a single-use secret, or returns the result of its earlier exchange. Null if the provider has no such
 * secrets. The result is stored before anything else can fail, so a retry continues with the same consent.
 */
export async function exchangeOnce(
  platform: BankingPlatform,
  bank: BankProvider,
  secret: Secret,
): Promise<ExchangedConsent | null> {
  if (bank.exchangeConsent === undefined) return null;
  const { db, clock, settings } = platform;
  const { organizationId, institutionId, provider, hashes } = secret;
  const find = async () => {
    const row = await findExchange(db, settings.encryptionKeys, secret);
    return row && { consentId: row.consentId, token: row.token };
  };
  const earlier = await find();
  if (earlier !== undefined) return earlier;
  let exchanged;
  try {
    exchanged = await bank.exchangeConsent(secret);
  } catch (error) {
    // A concurrent request may have exchanged it first.
    const first = BankError.is(error, "consent_not_found") ? await find() : undefined;
    if (first === undefined) throw error;
    return first;
  }
  const exchange = { organizationId, provider, referenceHash: hashes[0]!, institutionId, ...exchanged };
  const row = { ...exchange, exchangedAt: clock.now() };
  try {
    // The secret cannot be exchanged again, so a database that restarts must not cost the person the consent.
    await retryWhileUnavailable(platform, () => insertExchange(db, settings.encryptionKeys, row), {
      timeoutMs: storeTimeoutMs,
    });
  } catch (error) {
    // Without its stored token this consent could never be revoked.
    await bank.revoke({ organizationId, institutionId, ...exchanged }).catch(() => undefined);
    throw error;
  }
  return exchanged;
}

/** How long a result that the database cannot store is kept in memory. */
const storeTimeoutMs = 2 * 60 * 1000;

/** How long an exchanged consent waits for a connection. */
const claimTimeoutMs = dayMs;

/** Revokes the exchanged consents that no connection uses. */
export async function revokeUnclaimed(platform: BankingPlatform): Promise<void> {
  const { db, clock, outbox } = platform;
  const before = addMs(clock.now(), -claimTimeoutMs);
  for (;;) {
    const revoked = await db.transaction(async (transaction) => {
      const rows = await takeExchangesBefore(transaction, before);
      const revocations = rows.flatMap((row) => revocationOf(platform, row) ?? []);
      await outbox.enqueueAll(transaction, bankingJobs.revoke, revocations);
      return rows.length;
    });
    if (revoked === 0) return;
  }
}

/** The revocation of an exchanged consent; null if the key is lost, which must not keep the others from being revoked. */
function revocationOf({ settings, logger }: BankingPlatform, row: ExchangeRow): Revocation | null {
  const { provider, organizationId, institutionId, consentId } = row;
  try {
    const { token } = unsealExchange(settings.encryptionKeys, row);
    return { provider, access: { organizationId, institutionId, consentId, token } };
  } catch (error) {
    const log = { organizationId, consentId, reason: errorText(error) };
    logger.warn(log, "An exchanged consent that no connection uses cannot be revoked");
    return null;
  }
}
