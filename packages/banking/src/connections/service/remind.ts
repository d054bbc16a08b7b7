import { listOwners } from "@purser/organizations";
import { platformJobs } from "@purser/platform/jobs";
import type { BankingPlatform } from "../../context.ts";
import type { ConnectionKey } from "../../syncs/store/runs.ts";
import { consentEnds } from "../mail.ts";
import { dueWarning } from "../rules.ts";
import { findNewestConsent, listExpiring, lockConnection, setConsent } from "../store.ts";

const longestWarning = 14 * 24 * 60 * 60 * 1000;

/** Mails the owners 14, 7 and 1 days before the consent of an active connection ends, once each. */
export async function remindOfExpiry(platform: BankingPlatform): Promise<void> {
  const now = platform.clock.now();
  const expiring = await listExpiring(platform.db, now, new Date(now.getTime() + longestWarning));
  for (const consent of expiring) {
    if (dueWarning(consent.expiresAt, consent.remindedDays, now) === null) continue;
    await remind(platform, { organizationId: consent.organizationId, id: consent.connectionId }, consent.id);
  }
}

async function remind(
  { db, clock, outbox, settings }: BankingPlatform,
  connection: ConnectionKey,
  consentId: string,
): Promise<void> {
  await db.transaction(async (transaction) => {
    const { organizationId, id } = connection;
    const locked = await lockConnection(transaction, organizationId, id);
    const consent = await findNewestConsent(transaction, organizationId, id);
    // The consent was renewed or ended, or another process sent the mail.
    if (locked?.status !== "ACTIVE" || consent?.id !== consentId || consent.status !== "AUTHORIZED") return;
    const days = dueWarning(consent.expiresAt, consent.remindedDays, clock.now());
    if (days === null) return;
    await setConsent(transaction, consent, { remindedDays: days });
    for (const { email: to, organizationName } of await listOwners(transaction, organizationId)) {
      const { expiresAt } = consent;
      const { institutionName } = locked;
      const mail = consentEnds({ organizationName, institutionName, expiresAt, appUrl: settings.appUrl });
      await outbox.enqueue(transaction, platformJobs.sendMail, { to, ...mail });
    }
  });
}
