import { errorText } from "@purser/core";
import type { BankingPlatform } from "../../context.ts";
import { lockConnection, setConnection } from "../../connections/store.ts";
import { bankingJobs } from "../../job-definitions.ts";
import { allowedFrom } from "../rules/schedule.ts";
import { type ConnectionKey, type SyncRow, listDue, listStale } from "../store/runs.ts";
import { recordFailure, unattendedReads } from "./fail.ts";
import { requestSync } from "./request.ts";

/** How long a synchronisation may give no sign of life before it is taken for dead. */
const heartbeatTimeoutMs = 5 * 60 * 1000;

/** Until its synchronisation has ended and planned the next one, a connection is not due again. */
const meanwhileMs = 60 * 60 * 1000;

/** Sweeps up what died with its process, and starts what is due. It runs every few minutes, in whatever process. */
export async function scheduleSyncs(platform: BankingPlatform): Promise<void> {
  const now = platform.clock.now();
  const stale = await listStale(platform.db, new Date(now.getTime() - heartbeatTimeoutMs));
  await each(platform, stale, (sync) => revive(platform, sync));
  for (;;) {
    const due = await listDue(platform.db, now, 100);
    const isDone = await each(platform, due, (connection) => start(platform, connection));
    // Those that failed are still due: the next run of this tries them again.
    if (due.length < 100 || !isDone) return;
  }
}

/** One that fails must not keep the others waiting. Gives whether none did. */
async function each<Item>(
  { logger }: BankingPlatform,
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<boolean> {
  let isDone = true;
  for (const item of items) {
    await work(item).catch((error: unknown) => {
      isDone = false;
      logger.warn({ reason: errorText(error) }, "A connection could not be scheduled");
    });
  }
  return isDone;
}

async function start(platform: BankingPlatform, { organizationId, id }: ConnectionKey): Promise<void> {
  const now = platform.clock.now();
  await platform.db.transaction(async (transaction) => {
    const locked = await lockConnection(transaction, organizationId, id);
    const isDue = locked?.nextSyncAt && locked.nextSyncAt <= now;
    if (!isDue) return;
    // It was planned within the quota, but what a webhook has asked for since counts, too.
    const allowed = allowedFrom(await unattendedReads(platform, transaction, locked));
    if (allowed !== null && allowed > now) {
      await setConnection(transaction, locked, { nextSyncAt: allowed });
    } else {
      await setConnection(transaction, locked, { nextSyncAt: new Date(now.getTime() + meanwhileMs) });
      await requestSync(platform, transaction, locked, "SCHEDULE");
    }
  });
}

/** What a dead process had read counts for nothing; when to try again is planned like after every failure. */
async function revive(platform: BankingPlatform, sync: SyncRow): Promise<void> {
  const { organizationId, connectionId } = sync;
  if (sync.status === "RUNNING") await recordFailure(platform, sync, { code: "INTERRUPTED" });
  // The job of what waits, itself or behind this one, is lost or came to no end; another one does no harm.
  await platform.db.transaction((transaction) =>
    platform.outbox.enqueue(transaction, bankingJobs.sync, { organizationId, connectionId }),
  );
}
