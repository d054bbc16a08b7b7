import { addMs, dayMs } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import { mailOwners } from "@purser/organizations";
import type { BankingPlatform } from "../../context.ts";
import { recordConnectionEvent } from "../../feed-events/service.ts";
import { isRenewedSince } from "../../link/store.ts";
import { consentEnds, consentNeedsConfirmation } from "../mail.ts";
import { dueWarning, firstWarningMs, nextDeadline } from "../rules.ts";
import { findNewestConsent, listWithDeadline, lockConnection, setConsent } from "../store.ts";
import { changeOrganization } from "@purser/platform";
import { referenceHashes } from "./connect.ts";

/** The longest time between a provider's warning and the disconnection. Plaid warns seven days before. */
const warningMs = 8 * dayMs;

/** Mails the owners 14, 7 and 1 days before a person has to act on the consent of an active connection, once each. */
export async function remindOfDeadlines(platform: BankingPlatform): Promise<void> {
  const now = platform.clock.now();
  const consents = await listWithDeadline(platform.db, now, addMs(now, firstWarningMs));
  for (const consent of consents) {
    const deadline = nextDeadline(consent, now);
    if (deadline === null || dueWarning(deadline, consent.remindedDays, now) === null) continue;
    const connection = { organizationId: consent.organizationId, id: consent.connectionId };
    await changeOrganization(platform, consent.organizationId, (transaction) =>
      remind(platform, transaction, connection, consent.id),
    );
  }
}

/**
 * Records that the provider will disconnect a consent at this time, and mails the owners if they do not know yet. A warning that
 * arrives late or again, after the person has renewed the consent, changes nothing.
 */
export async function warnOfDisconnection(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: TenantKey,
  { consentId, endsAt }: { consentId: string; endsAt: Date },
): Promise<void> {
  const { organizationId, id: connectionId } = connection;
  const locked = await lockConnection(transaction, organizationId, connectionId);
  if (locked === undefined) return;
  const hashes = referenceHashes(platform, {
    teamId: organizationId,
    provider: locked.provider,
    consentId,
  });
  const since = addMs(endsAt, -warningMs);
  if (await isRenewedSince(transaction, connection, hashes, since)) return;
  const key = { organizationId, connectionId, id: consentId };
  await setConsent(transaction, key, { disconnectAt: endsAt });
  await remind(platform, transaction, connection, consentId);
}

async function remind(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: TenantKey,
  consentId: string,
): Promise<void> {
  const { clock, settings } = platform;
  const { organizationId, id } = connection;
  const locked = await lockConnection(transaction, organizationId, id);
  const consent = await findNewestConsent(transaction, organizationId, id);
  // The consent was renewed or ended, or another process sent the mail.
  if (locked?.status !== "ACTIVE" || consent?.id !== consentId || consent.status !== "AUTHORIZED") return;
  const now = clock.now();
  const by = nextDeadline(consent, now);
  const days = by && dueWarning(by, consent.remindedDays, now);
  if (by === null || days === null) return;
  await setConsent(transaction, consent, { remindedDays: days });
  const type = "bank_connection.consent_expiring";
  await recordConnectionEvent(platform, transaction, null, connection, type, { deadline: by });
  const isConfirmation = by.getTime() === consent.reconfirmBy?.getTime();
  const write = isConfirmation ? consentNeedsConfirmation : consentEnds;
  const { institutionName } = locked;
  await mailOwners(platform, transaction, organizationId, (organizationName) =>
    write({ organizationName, institutionName, by, appUrl: settings.appUrl }),
  );
}
