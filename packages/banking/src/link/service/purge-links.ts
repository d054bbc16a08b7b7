import { dayMs } from "@purser/core";
import { findBank } from "../../call-provider.ts";
import type { BankingPlatform } from "../../context.ts";
import { type Revocation, bankingJobs } from "../../job-definitions.ts";
import { type LinkRow, takeExpiredLinks } from "../store.ts";

/** How long an expired link stays at least. A consent is usually connected at once. */
const retentionMs = dayMs;

/** How long a link that a person finished waits for a provider that is down. Then its consent is of no use. */
const finishedRetentionMs = 7 * dayMs;

/**
 * Deletes the links that have expired, and revokes the consents that came with them and that no connection uses: they would
 * stay in force at the bank, and cost money at the provider.
 */
export async function purgeLinks(platform: BankingPlatform): Promise<void> {
  const { db, clock, settings, outbox } = platform;
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  const expired = { before: ago(retentionMs), finishedBefore: ago(finishedRetentionMs) };
  for (;;) {
    const purged = await db.transaction(async (transaction) => {
      const links = await takeExpiredLinks(transaction, settings.encryptionKeys, expired);
      const revocations = await Promise.all(links.map((link) => revocationOf(platform, link)));
      await outbox.enqueueAll(
        transaction,
        bankingJobs.revoke,
        revocations.filter((one) => one !== null),
      );
      return links.length;
    });
    if (purged === 0) return;
  }
}

/** The revocation of the consent that came with a link. The job leaves one that a connection uses. */
async function revocationOf(
  platform: BankingPlatform,
  { provider, organizationId, institutionId, state }: LinkRow,
): Promise<Revocation | null> {
  const consentId = (await findBank(platform, provider))?.consentOfLink?.(state);
  if (consentId === undefined || institutionId === null) return null;
  const access = { organizationId, institutionId, consentId, token: null };
  return { provider, access, mayBePending: true };
}
