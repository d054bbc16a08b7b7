import type { ProblemCode } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { BankingPlatform } from "../../context.ts";
import { listOwners } from "@purser/organizations";
import { recordAudit } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { bankNeedsPerson } from "../../connections/mail.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  findNewestConsent,
  lockConnection,
  revokeConsents,
  setConnection,
} from "../../connections/store.ts";
import { nextSync } from "../rules/schedule.ts";
import { type ConnectionKey, type SyncRow, finishSync, listUnattendedStarts } from "../store/runs.ts";

interface Failure {
  code: ProblemCode | "INTERRUPTED";
  retryAfterSeconds?: number | undefined;
  /** The consent by which the bank was read; absent where it came to no reading. */
  consent?: ConsentRecord | undefined;
  /** The bank says that this consent has ended there. */
  isRevoked?: boolean;
}

/** Puts on record that a synchronisation failed: nothing else of it counts. It is tried again, or waits for a person. */
export async function recordFailure(
  platform: BankingPlatform,
  sync: SyncRow,
  failure: Failure,
): Promise<void> {
  const { db, clock } = platform;
  await db.transaction(async (transaction) => {
    const now = clock.now();
    const connection = await lockConnection(transaction, sync.organizationId, sync.connectionId);
    const ending = { status: "FAILED", errorCode: failure.code, finishedAt: now } as const;
    if (!(await finishSync(transaction, sync, ending)) || connection?.status !== "ACTIVE") return;
    const isAboutConsent = await isInUse(transaction, failure.consent);
    if (failure.isRevoked && isAboutConsent)
      await revokeConsents(transaction, connection.organizationId, connection.id, now);
    const needsPerson = failure.code === "REAUTHORIZATION_REQUIRED" && isAboutConsent;
    const isOver = failure.code === "CONSENT_EXPIRED" && isAboutConsent;
    const failures = connection.failures + 1;
    await setConnection(transaction, connection, {
      failures,
      needsReauthorization: needsPerson ? "REAUTHORIZATION_REQUIRED" : connection.needsReauthorization,
      nextSyncAt:
        needsPerson || isOver
          ? null
          : await planNext(platform, transaction, connection, { ...failure, failures }),
    });
    if (needsPerson && connection.needsReauthorization === null)
      await notifyOwners(platform, transaction, connection);
  });
}

/** Whether a connection still stands on this consent: while the bank was asked, a person may have renewed it. */
async function isInUse(transaction: Transaction, consent: ConsentRecord | undefined): Promise<boolean> {
  if (consent === undefined) return false;
  const newest = await findNewestConsent(transaction, consent.organizationId, consent.connectionId);
  const isSame = newest?.id === consent.id && newest.token === consent.token;
  return isSame && newest.expiresAt.getTime() === consent.expiresAt.getTime();
}

/** When a connection is to be synchronised next without being asked. */
export async function planNext(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: ConnectionKey & Pick<ConnectionRow, "provider">,
  outcome: { failures: number; retryAfterSeconds?: number | undefined },
): Promise<Date> {
  const reads = await unattendedReads(platform, transaction, connection);
  return nextSync({ now: platform.clock.now(), ...reads, ...outcome });
}

/** What a connection has used up of its provider's quota. */
export async function unattendedReads(
  { banks, clock }: BankingPlatform,
  transaction: Transaction,
  connection: ConnectionKey & Pick<ConnectionRow, "provider">,
) {
  const aDayAgo = new Date(clock.now().getTime() - 24 * 60 * 60 * 1000);
  const unattendedStarts = await listUnattendedStarts(transaction, connection, aDayAgo);
  // Of one that was taken out of the settings, a failure is put on record all the same.
  const isConfigured = banks.configured.includes(connection.provider);
  const quota = isConfigured ? (await banks.at(connection.provider)).unattendedReadsPerDay : null;
  return { unattendedStarts, quota };
}

/** Nobody should find out by missing transactions that a bank is not read any more. */
async function notifyOwners(
  { clock, outbox, settings }: BankingPlatform,
  transaction: Transaction,
  connection: ConnectionRow,
): Promise<void> {
  const { organizationId, id, institutionName } = connection;
  await recordAudit(transaction, {
    organizationId,
    at: clock.now(),
    actor: null,
    action: "banking.sync",
    subject: id,
    details: { needsReauthorization: "REAUTHORIZATION_REQUIRED" },
  });
  const owners = await listOwners(transaction, organizationId);
  for (const { email: to, organizationName } of owners) {
    const mail = bankNeedsPerson({ organizationName, institutionName, appUrl: settings.appUrl });
    await outbox.enqueue(transaction, platformJobs.sendMail, { to, ...mail });
  }
}
