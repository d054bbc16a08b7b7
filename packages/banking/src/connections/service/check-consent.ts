import type { TenantKey } from "@purser/db";
import { UnsealError, changeOrganization } from "@purser/platform";
import { findBank } from "../../call-provider.ts";
import type { BankingPlatform } from "../../context.ts";
import { BankError } from "../../ports.ts";
import { requestSync } from "../../syncs/service/run.ts";
import { mayContinue } from "../rules.ts";
import { accessBy, findConnection, findNewestConsent, lockConnection } from "../store.ts";

/**
 * Asks the provider for the status of a consent that needs the person, and requests a sync unless that is unchanged. Not every
 * provider reports a consent that is in force again, and the service may have had the credentials of another account. No bank
 * is read.
 */
export async function checkConsent(
  platform: BankingPlatform,
  { organizationId, id }: TenantKey,
): Promise<void> {
  const { db, clock, logger, settings } = platform;
  const connection = await findConnection(db, organizationId, id);
  const consent = await findNewestConsent(db, organizationId, id);
  if (connection === undefined || consent === undefined) return;
  if (!mayContinue(connection, consent, clock.now())) return;
  const bank = await findBank(platform, connection.provider);
  if (bank === null) return;
  try {
    const { status } = await bank.consentStatus(
      accessBy(settings.encryptionKeys, connection.institutionId, consent),
    );
    if (status === "reauthorization_required") return;
  } catch (error) {
    // Nor can it be once the key of its token is lost.
    if (!BankError.is(error) && !(error instanceof UnsealError)) throw error;
    const log = { connectionId: id, reason: error.message };
    logger.warn(log, "A consent that needs the person could not be checked; the next check is tomorrow");
    return;
  }
  // Also for a consent that has ended: the sync records that.
  await changeOrganization(platform, organizationId, async (transaction) => {
    const locked = await lockConnection(transaction, organizationId, id);
    if (locked?.status === "ACTIVE") await requestSync(platform, transaction, locked, "SCHEDULE");
  });
}
