import { addMs, dayMs, errorText } from "@purser/core";
import { findBank } from "../../call-provider.ts";
import type { BankingPlatform } from "../../context.ts";
import { type Revocation, bankingJobs } from "../../job-definitions.ts";
import { type SealedLinkRow, takeExpiredLinks, unsealLink } from "../store.ts";

/** How long an expired link stays at least. A consent is usually connected at once. */
const retentionMs = dayMs;

/** How long a link that a person finished waits for a provider that is down. Then its consent is of no use. */
const finishedRetentionMs = 7 * dayMs;

/**
 * Deletes the links that have expired, and revokes the consents that came with them and that no connection uses: they would
 * stay in force at the bank, and cost money at the provider.
 */
export async function purgeLinks(platform: BankingPlatform): Promise<void> {
  const { db, clock, outbox } = platform;
  const ago = (ms: number) => addMs(clock.now(), -ms);
  const expired = { before: ago(retentionMs), finishedBefore: ago(finishedRetentionMs) };
  for (;;) {
    const purged = await db.transaction(async (transaction) => {
      const links = await takeExpiredLinks(transaction, expired);
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
async function revocationOf(platform: BankingPlatform, link: SealedLinkRow): Promise<Revocation | null> {
  const { provider, organizationId, institutionId } = link;
  const bank = await findBank(platform, provider);
  if (bank?.consentOfLink === undefined || institutionId === null) return null;
  try {
    const consentId = bank.consentOfLink(unsealLink(platform.settings.encryptionKeys, link).state);
    const access = { organizationId, institutionId, consentId, token: null };
    return { provider, access, mayBePending: true };
  } catch (error) {
    // The key is lost, and will not return. The link must not keep all others from being purged.
    const log = { linkId: link.id, reason: errorText(error) };
    platform.logger.warn(log, "The consent of an expired link cannot be revoked");
    return null;
  }
}
