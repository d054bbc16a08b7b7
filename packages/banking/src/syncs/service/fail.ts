import { type ProblemCode, Problem, addMs, dayMs } from "@purser/core";
import type { Transaction } from "@purser/db";
import { mailOwners } from "@purser/organizations";
import { recordAudit, toProblem, changeOrganization } from "@purser/platform";
import { bankNeedsPerson, consentHasEnded } from "../../connections/mail.ts";
import { isSameConsent } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  findNewestConsent,
  lockConnection,
  openConsentToken,
  revokeConsents,
  setConnection,
} from "../../connections/store.ts";
import { bankProblem } from "../../call-provider.ts";
import type { BankingPlatform } from "../../context.ts";
import { recordConnectionEvent } from "../../feed-events/service.ts";
import { BankError } from "../../ports.ts";
import { type SyncRow, finishSync } from "../store/runs.ts";
import { planNextSync } from "./plan.ts";

interface Failure {
  code: ProblemCode | "INTERRUPTED";
  retryAfterSeconds?: number | undefined;
  /** The consent with which the bank was read; absent if the sync failed before it read. */
  consent?: ConsentRow | undefined;
  /** Whether the bank says that this consent has ended there. */
  isRevoked?: boolean;
  /** Whether the provider says that it is still preparing the history. */
  isNotReady?: boolean;
}

/** How long a provider may prepare the history of a new consent. */
const preparationMs = 60 * 60 * 1000;

/** Records that a sync failed, and discards what it read. The schedule retries it, unless a person has to act. */
export async function recordFailure(
  platform: BankingPlatform,
  sync: SyncRow,
  failure: Failure,
): Promise<void> {
  const { clock } = platform;
  await changeOrganization(platform, sync.organizationId, async (transaction) => {
    const now = clock.now();
    const connection = await lockConnection(transaction, sync.organizationId, sync.connectionId);
    const ending = { status: "FAILED", errorCode: failure.code, finishedAt: now } as const;
    if (!(await finishSync(transaction, sync, ending)) || connection?.status !== "ACTIVE") return;
    const isAboutConsent = await isInUse(platform, transaction, failure.consent);
    if (failure.isRevoked && isAboutConsent) await revokeConsents(transaction, connection, now);
    const needsPerson = failure.code === "REAUTHORIZATION_REQUIRED" && isAboutConsent;
    const hasExpired = failure.code === "CONSENT_EXPIRED" && isAboutConsent;
    const isPreparing = isPreparingHistory(failure, now);
    const failures = connection.failures + (isPreparing ? 0 : 1);
    const plan = () =>
      planNextSync(platform, transaction, connection, { ...failure, failures: Math.max(1, failures) });
    // The schedule checks the consent then, and does not read the bank.
    const tomorrow = addMs(now, dayMs);
    await setConnection(transaction, connection, {
      failures,
      needsReauthorization: needsPerson ? "REAUTHORIZATION_REQUIRED" : connection.needsReauthorization,
      nextSyncAt: needsPerson ? tomorrow : hasExpired ? null : await plan(),
    });
    if (isPreparing) return;
    const error = failure.code;
    await recordConnectionEvent(platform, transaction, null, connection, "bank_connection.sync_failed", {
      error,
    });
    // A webhook may request a sync of a consent whose end is known.
    const isKnown =
      connection.needsReauthorization !== null || (hasExpired && connection.nextSyncAt === null);
    if ((needsPerson || hasExpired) && !isKnown)
      await notifyOwners(platform, transaction, connection, failure);
  });
}

/** Whether a sync failed as the first one usually does: the provider reads the bank for some minutes after the link. */
function isPreparingHistory({ isNotReady = false, consent }: Failure, now: Date): boolean {
  return isNotReady && consent !== undefined && now.getTime() - consent.createdAt.getTime() < preparationMs;
}

/** Whether a connection still uses this consent: a person may have renewed it while the bank was read. */
async function isInUse(
  { settings }: Pick<BankingPlatform, "settings">,
  transaction: Transaction,
  consent: ConsentRow | undefined,
): Promise<boolean> {
  if (consent === undefined) return false;
  const newest = await findNewestConsent(transaction, consent.organizationId, consent.connectionId);
  const open = (one: ConsentRow) => openConsentToken(settings.encryptionKeys, one);
  if (newest === undefined || !isSameConsent(newest, consent, open)) return false;
  return newest.expiresAt.getTime() === consent.expiresAt.getTime();
}

/** Notifies the owners that the bank is no longer read. Otherwise missing transactions would be the first sign. */
async function notifyOwners(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: ConnectionRow,
  { code, consent }: Failure,
): Promise<void> {
  const { clock, settings } = platform;
  const { organizationId, id, institutionName } = connection;
  recordAudit(transaction, {
    organizationId,
    at: clock.now(),
    actor: null,
    action: "banking.sync",
    subject: id,
    details: { needsReauthorization: code },
  });
  const type = "bank_connection.needs_reauthorization";
  await recordConnectionEvent(platform, transaction, null, connection, type, {});
  await mailOwners(platform, transaction, organizationId, (organizationName) => {
    const about = { organizationName, institutionName, appUrl: settings.appUrl };
    return code === "CONSENT_EXPIRED"
      ? consentHasEnded({ ...about, at: consent!.expiresAt })
      : bankNeedsPerson(about);
  });
}

/** The problem that a failure is recorded as. If the bank no longer knows the consent, a person has to act. */
export function syncProblem(error: unknown): Problem {
  const isUnknownConsent = BankError.is(error, "consent_not_found");
  return isUnknownConsent
    ? new Problem("REAUTHORIZATION_REQUIRED", { cause: error })
    : toProblem(bankProblem(error));
}
