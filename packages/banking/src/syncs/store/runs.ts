import {
  type Executor,
  type Transaction,
  bankConnections,
  bankSyncPages,
  bankSyncs,
  constraintName,
} from "@purser/db";
import { and, desc, eq, gte, inArray, lt, lte, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";

export type SyncRow = typeof bankSyncs.$inferSelect;
export type SyncKey = Pick<SyncRow, "organizationId" | "id">;

/** A connection by its key. */
export interface ConnectionKey {
  organizationId: string;
  id: string;
}

const theSync = ({ organizationId, id }: SyncKey) =>
  and(eq(bankSyncs.organizationId, organizationId), eq(bankSyncs.id, id));

const ofConnection = ({ organizationId, id }: ConnectionKey) =>
  and(eq(bankSyncs.organizationId, organizationId), eq(bankSyncs.connectionId, id));

export function listSyncRows(
  db: Executor,
  organizationId: string,
  {
    connectionId,
    after,
    rows,
  }: { connectionId: string | undefined; after: string | undefined; rows: number },
): Promise<SyncRow[]> {
  return db
    .select()
    .from(bankSyncs)
    .where(
      and(
        eq(bankSyncs.organizationId, organizationId),
        connectionId === undefined ? undefined : eq(bankSyncs.connectionId, connectionId),
        after === undefined ? undefined : lt(bankSyncs.id, after),
      ),
    )
    .orderBy(desc(bankSyncs.id))
    .limit(rows);
}

export async function findSync(db: Executor, key: SyncKey): Promise<SyncRow | undefined> {
  const [sync] = await db.select().from(bankSyncs).where(theSync(key));
  return sync;
}

/**
 * Puts a synchronisation in the queue of its connection, and gives the id of the one that waits there: this one, or
 * the one that was waiting already. A person who asks makes it theirs.
 */
export async function enqueueSync(
  transaction: Transaction,
  row: Pick<SyncRow, "organizationId" | "id" | "connectionId" | "trigger" | "startedAt">,
): Promise<string> {
  const [queued] = await transaction
    .insert(bankSyncs)
    .values({ ...row, status: "QUEUED" })
    .onConflictDoUpdate({
      target: [bankSyncs.organizationId, bankSyncs.connectionId],
      targetWhere: sql`status = 'QUEUED'`,
      set: {
        trigger: sql`CASE WHEN excluded.trigger = 'MANUAL' THEN 'MANUAL' ELSE ${bankSyncs.trigger} END`,
      },
    })
    .returning({ id: bankSyncs.id });
  return queued!.id;
}

/** Makes the waiting synchronisation the running one; undefined where none waits, or one runs. */
export async function claimSync(
  db: Executor,
  connection: ConnectionKey,
  now: Date,
): Promise<SyncRow | undefined> {
  const running = alias(bankSyncs, "running");
  const oneRuns = db
    .select({ one: sql`1` })
    .from(running)
    .where(
      and(
        eq(running.organizationId, connection.organizationId),
        eq(running.connectionId, connection.id),
        eq(running.status, "RUNNING"),
      ),
    );
  const [claimed] = await db
    .update(bankSyncs)
    .set({ status: "RUNNING", startedAt: now, heartbeatAt: now })
    .where(and(ofConnection(connection), eq(bankSyncs.status, "QUEUED"), notExists(oneRuns)))
    .returning()
    // Two may have seen that none runs; the index lets one of them go on.
    .catch((error: unknown) => {
      if (constraintName(error) === "bank_syncs_running") return [];
      throw error;
    });
  return claimed;
}

type SyncEnd = Pick<SyncRow, "finishedAt"> &
  (
    | { status: "SUCCEEDED"; added: number; modified: number; removed: number }
    | { status: "FAILED"; errorCode: string }
  );

/** Ends a running synchronisation; false where it was given up meanwhile, and nothing of it may count. */
export async function finishSync(transaction: Transaction, key: SyncKey, ending: SyncEnd): Promise<boolean> {
  const ended = await transaction
    .update(bankSyncs)
    .set(ending)
    .where(and(theSync(key), eq(bankSyncs.status, "RUNNING")))
    .returning({ id: bankSyncs.id });
  if (ended.length > 0) await deletePages(transaction, key);
  return ended.length > 0;
}

/** Ends whatever waits or runs for a connection. */
export async function abandonSyncs(
  transaction: Transaction,
  connection: ConnectionKey,
  errorCode: string,
  now: Date,
): Promise<void> {
  const abandoned = await transaction
    .update(bankSyncs)
    .set({ status: "FAILED", errorCode, finishedAt: now })
    .where(and(ofConnection(connection), inArray(bankSyncs.status, ["QUEUED", "RUNNING"])))
    .returning({ organizationId: bankSyncs.organizationId, id: bankSyncs.id });
  for (const key of abandoned) await deletePages(transaction, key);
}

/** Synchronisations that wait or run, and whose process has given no sign of life since then. */
export function listStale(db: Executor, since: Date): Promise<SyncRow[]> {
  return db
    .select()
    .from(bankSyncs)
    .where(
      and(
        inArray(bankSyncs.status, ["QUEUED", "RUNNING"]),
        sql`coalesce(${bankSyncs.heartbeatAt}, ${bankSyncs.startedAt}) < ${since.toISOString()}::timestamptz`,
      ),
    )
    .limit(500);
}

/** Connections that are to be synchronised by now. */
export function listDue(db: Executor, now: Date, rows: number): Promise<ConnectionKey[]> {
  return db
    .select({ organizationId: bankConnections.organizationId, id: bankConnections.id })
    .from(bankConnections)
    .where(and(eq(bankConnections.status, "ACTIVE"), lte(bankConnections.nextSyncAt, now)))
    .orderBy(bankConnections.nextSyncAt)
    .limit(rows);
}

/** When a connection was last read with nobody present, newest first. */
export async function listUnattendedStarts(
  db: Executor,
  connection: ConnectionKey,
  since: Date,
): Promise<Date[]> {
  const starts = await db
    .select({ startedAt: bankSyncs.startedAt })
    .from(bankSyncs)
    .where(
      and(
        ofConnection(connection),
        inArray(bankSyncs.trigger, ["SCHEDULE", "WEBHOOK"]),
        inArray(bankSyncs.status, ["RUNNING", "SUCCEEDED", "FAILED"]),
        gte(bankSyncs.startedAt, since),
      ),
    )
    .orderBy(desc(bankSyncs.startedAt));
  return starts.map(({ startedAt }) => startedAt);
}

/**
 * Keeps a page beside a running synchronisation, and with it that this one is alive; false where it was given up
 * meanwhile. One statement: nothing is left behind for one that is given up at this moment.
 */
export async function insertPage(
  db: Executor,
  { organizationId, id }: SyncKey,
  number: number,
  items: string,
  now: Date,
): Promise<boolean> {
  const kept = await db.execute(sql`
    WITH alive AS (
      UPDATE ${bankSyncs} SET heartbeat_at = ${now.toISOString()}::timestamptz
      WHERE organization_id = ${organizationId}::text AND id = ${id}::text AND status = 'RUNNING'
      RETURNING organization_id, id)
    INSERT INTO ${bankSyncPages} (organization_id, sync_id, number, items)
    SELECT organization_id, id, ${number}::integer, ${items}::text FROM alive
    RETURNING number`);
  return kept.length > 0;
}

export async function readPage(
  db: Executor,
  { organizationId, id: syncId }: SyncKey,
  number: number,
): Promise<string | undefined> {
  const [page] = await db
    .select({ items: bankSyncPages.items })
    .from(bankSyncPages)
    .where(
      and(
        eq(bankSyncPages.organizationId, organizationId),
        eq(bankSyncPages.syncId, syncId),
        eq(bankSyncPages.number, number),
      ),
    );
  return page?.items;
}

export async function deletePages(db: Executor, { organizationId, id: syncId }: SyncKey): Promise<void> {
  await db
    .delete(bankSyncPages)
    .where(and(eq(bankSyncPages.organizationId, organizationId), eq(bankSyncPages.syncId, syncId)));
}
