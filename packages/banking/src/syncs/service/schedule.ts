import { addMs, dayMs, errorText } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import { leaseEnd, leaseMs, changeOrganization } from "@purser/platform";
import { mayContinue } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  findNewestConsent,
  lockConnection,
  setConnection,
} from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { bankingJobs } from "../../job-definitions.ts";
import { allowedFrom } from "../rules/next-sync.ts";
import {
  type SyncRow,
  listDue,
  listUnfinishedSyncs,
  setBackHeartbeats,
  unfinishedPageRows,
} from "../store/runs.ts";
import { recordFailure } from "./fail.ts";
import { unattendedReads } from "./plan.ts";
import { requestSync } from "./run.ts";

/** The job of a sync that has been queued for this long may be lost. */
const queuedTooLongMs = 5 * 60 * 1000;

/** A connection is not due again until its sync has ended and planned the next one. */
const meanwhileMs = 60 * 60 * 1000;

/** Fails the syncs whose process died. Their next ones are planned as after any failure. Runs every few seconds. */
export async function failInterruptedSyncs(platform: BankingPlatform): Promise<void> {
  const now = platform.clock.now();
  const interrupted = await listUnfinishedSyncs(platform.db, "RUNNING", ago(platform, leaseMs));
  await scheduleEach(platform, interrupted, async (sync) => {
    await recordFailure(platform, sync, { code: "INTERRUPTED" });
    // The job of the sync that is queued behind it has ended.
    await requeue(platform, sync);
  });
  // Last, because it fails while a node of a cluster is down.
  await setBackHeartbeats(platform.db, now, leaseEnd(now));
}

/** Requests the syncs that are due. Runs every few minutes, in any process. */
export async function scheduleSyncs(platform: BankingPlatform): Promise<void> {
  const now = platform.clock.now();
  await requeueAll(platform);
  for (;;) {
    const due = await listDue(platform.db, now, 100);
    const areStarted = await scheduleEach(platform, due, (connection) => startDueSync(platform, connection));
    // Those that could not be started are still due: the next run retries them.
    if (due.length < 100 || !areStarted) return;
  }
}

/** Runs `work` for each item; a failure does not stop the others. Returns whether all succeeded. */
async function scheduleEach<Item>(
  { logger }: BankingPlatform,
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<boolean> {
  let areDone = true;
  for (const item of items) {
    await work(item).catch((error: unknown) => {
      areDone = false;
      logger.warn({ reason: errorText(error) }, "A connection could not be scheduled");
    });
  }
  return areDone;
}

async function startDueSync(platform: BankingPlatform, { organizationId, id }: TenantKey): Promise<void> {
  const now = platform.clock.now();
  await changeOrganization(platform, organizationId, async (transaction) => {
    const locked = await lockConnection(transaction, organizationId, id);
    const isDue = locked?.nextSyncAt && locked.nextSyncAt <= now;
    if (!isDue) return;
    if (locked.needsReauthorization !== null) return startConsentCheck(platform, transaction, locked);
    // It was planned within the quota, but the syncs that webhooks requested since count too.
    const allowed = allowedFrom(await unattendedReads(platform, transaction, locked));
    if (allowed !== null && allowed > now) {
      await setConnection(transaction, locked, { nextSyncAt: allowed });
    } else {
      await setConnection(transaction, locked, { nextSyncAt: addMs(now, meanwhileMs) });
      await requestSync(platform, transaction, locked, "SCHEDULE");
    }
  });
}

/** Has the consent of a connection that needs the person checked, today and tomorrow. A consent that has ended is not. */
async function startConsentCheck(
  { clock, outbox }: BankingPlatform,
  transaction: Transaction,
  connection: ConnectionRow,
): Promise<void> {
  const { organizationId, id } = connection;
  const now = clock.now();
  const consent = await findNewestConsent(transaction, organizationId, id);
  const isChecked = consent !== undefined && mayContinue(connection, consent, now);
  await setConnection(transaction, connection, {
    nextSyncAt: isChecked ? addMs(now, dayMs) : null,
  });
  if (isChecked) await outbox.enqueue(transaction, bankingJobs.checkConsent, { organizationId, id });
}

/** Enqueues jobs for all syncs that have been queued for too long: those of one bank may be more than a page. */
async function requeueAll(platform: BankingPlatform): Promise<void> {
  const since = ago(platform, queuedTooLongMs);
  let after: SyncRow | undefined;
  for (;;) {
    const queued = await listUnfinishedSyncs(platform.db, "QUEUED", since, after);
    await scheduleEach(platform, queued, (sync) => requeue(platform, sync));
    if (queued.length < unfinishedPageRows) return;
    after = queued.at(-1);
  }
}

/** Enqueues another job for the queued sync of a connection, if there is one. A second job is harmless. */
async function requeue(platform: BankingPlatform, { organizationId, connectionId }: SyncRow): Promise<void> {
  await changeOrganization(platform, organizationId, (transaction) =>
    platform.outbox.enqueue(transaction, bankingJobs.sync, { organizationId, connectionId }),
  );
}

const ago = ({ clock }: BankingPlatform, ms: number) => addMs(clock.now(), -ms);
