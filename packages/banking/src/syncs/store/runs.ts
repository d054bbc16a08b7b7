import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  bankConnections,
  bankSyncPages,
  bankSyncs,
  constraintName,
  deleteInBatches,
  hasKey,
  searchAllOrganizations,
} from "@purser/db";
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";

export type SyncRow = typeof bankSyncs.$inferSelect;

const ofConnection = ({ organizationId, id }: TenantKey) =>
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

export async function findSync(db: Executor, key: TenantKey): Promise<SyncRow | undefined> {
  const [sync] = await db.select().from(bankSyncs).where(hasKey(bankSyncs, key));
  return sync;
}

/**
 * Queues a sync of a connection. Returns the id of the queued one: this one, or the one that was queued already. A
 * person's request sets its trigger to MANUAL, and the user of the last request that has one is its user.
 */
export async function enqueueSync(
  transaction: Transaction,
  row: Pick<
    SyncRow,
    "organizationId" | "id" | "connectionId" | "trigger" | "startedAt" | "personAddress" | "personAt"
  >,
): Promise<string> {
  const [queued] = await transaction
    .insert(bankSyncs)
    .values({ ...row, status: "QUEUED" })
    .onConflictDoUpdate({
      target: [bankSyncs.organizationId, bankSyncs.connectionId],
      targetWhere: sql`status = 'QUEUED'`,
      set: {
        trigger: sql`CASE WHEN excluded.trigger = 'MANUAL' THEN 'MANUAL' ELSE ${bankSyncs.trigger} END`,
        personAddress: sql`coalesce(excluded.person_address, ${bankSyncs.personAddress})`,
        personAt: sql`coalesce(excluded.person_at, ${bankSyncs.personAt})`,
      },
    })
    .returning({ id: bankSyncs.id });
  return queued!.id;
}

/** When a sync is claimed, and which user is present. */
export interface SyncClaim {
  now: Date;
  /** The user of the queued sync is present if it was requested since then. */
  presentSince: Date;
  /** The address of a user who is present even if the queued sync has none. */
  personAddress: string | undefined;
}

/**
 * Marks the queued sync as running. Returns undefined if none is queued, or one is running. Its user is one who is present, or
 * null.
 */
export async function claimSync(
  db: Executor,
  connection: TenantKey,
  { now, presentSince, personAddress: otherAddress }: SyncClaim,
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
  const personAddress = sql`CASE WHEN ${bankSyncs.personAt} >= ${presentSince.toISOString()}::timestamptz
    THEN ${bankSyncs.personAddress} ELSE ${otherAddress ?? null}::text END`;
  const isAttended = sql`${personAddress} IS NOT NULL`;
  const [claimed] = await db
    .update(bankSyncs)
    .set({ status: "RUNNING", startedAt: now, heartbeatAt: now, personAddress, isAttended })
    .where(and(ofConnection(connection), eq(bankSyncs.status, "QUEUED"), notExists(oneRuns)))
    .returning()
    // Two processes may both see that none is running; the unique index lets one of them continue.
    .catch((error: unknown) => {
      if (constraintName(error) === "bank_syncs_running") return [];
      throw error;
    });
  return claimed;
}

/** Finds the sync that a claim at this instant marked as running, although its answer was lost. */
export async function findClaimed(
  db: Executor,
  connection: TenantKey,
  at: Date,
): Promise<SyncRow | undefined> {
  const [claimed] = await db
    .select()
    .from(bankSyncs)
    .where(
      and(
        ofConnection(connection),
        eq(bankSyncs.status, "RUNNING"),
        eq(bankSyncs.startedAt, at),
        eq(bankSyncs.heartbeatAt, at),
      ),
    );
  return claimed;
}

type SyncEnd = Pick<SyncRow, "finishedAt"> &
  (
    | { status: "SUCCEEDED"; added: number; modified: number; removed: number }
    | { status: "FAILED"; errorCode: string }
  );

/** The address is kept no longer than it is needed. */
const withoutPerson = { personAddress: null, personAt: null };

/** Ends a running sync and deletes its pages. Returns false if it was ended meanwhile: then discard its result. */
export async function finishSync(
  transaction: Transaction,
  key: TenantKey,
  ending: SyncEnd,
): Promise<boolean> {
  const ended = await transaction
    .update(bankSyncs)
    .set({ ...ending, ...withoutPerson })
    .where(and(hasKey(bankSyncs, key), eq(bankSyncs.status, "RUNNING")))
    .returning({ id: bankSyncs.id });
  if (ended.length > 0) await deletePages(transaction, key);
  return ended.length > 0;
}

/** Fails the queued and the running sync of a connection. */
export async function abandonSyncs(
  transaction: Transaction,
  connection: TenantKey,
  errorCode: string,
  now: Date,
): Promise<void> {
  const abandoned = await transaction
    .update(bankSyncs)
    .set({ status: "FAILED", errorCode, finishedAt: now, ...withoutPerson })
    .where(and(ofConnection(connection), inArray(bankSyncs.status, ["QUEUED", "RUNNING"])))
    .returning({ organizationId: bankSyncs.organizationId, id: bankSyncs.id });
  for (const key of abandoned) await deletePages(transaction, key);
}

/** The most syncs that {@link listUnfinishedSyncs} returns. */
export const unfinishedPageRows = 500;

/**
 * Lists syncs with this status that have neither started nor shown a heartbeat since this instant, oldest first, in pages. The
 * next page comes after the last sync of this one.
 */
export function listUnfinishedSyncs(
  db: Executor,
  status: "QUEUED" | "RUNNING",
  since: Date,
  after?: Pick<SyncRow, "startedAt" | "id">,
): Promise<SyncRow[]> {
  const { startedAt, id } = bankSyncs;
  const search = (all: Executor) =>
    all
      .select()
      .from(bankSyncs)
      .where(
        and(
          eq(bankSyncs.status, status),
          // The index of unfinished syncs.
          inArray(bankSyncs.status, ["QUEUED", "RUNNING"]),
          sql`coalesce(${bankSyncs.heartbeatAt}, ${startedAt}) < ${since.toISOString()}::timestamptz`,
          after && sql`(${startedAt}, ${id}) > (${after.startedAt.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(asc(startedAt), asc(id))
      .limit(unfinishedPageRows);
  const by = (row: SyncRow) => `${row.startedAt.toISOString()} ${row.id}`;
  return searchAllOrganizations(db, search, { by, limit: unfinishedPageRows });
}

/** Lists the connections whose next sync is due. */
export function listDue(db: Executor, now: Date, rows: number): Promise<TenantKey[]> {
  return searchAllOrganizations(db, (all) =>
    all
      .select({ organizationId: bankConnections.organizationId, id: bankConnections.id })
      .from(bankConnections)
      .where(and(eq(bankConnections.status, "ACTIVE"), lte(bankConnections.nextSyncAt, now)))
      .orderBy(bankConnections.nextSyncAt)
      .limit(rows),
  );
}

/** Reads of a bank without a person, which the provider may limit. A queued sync has not read yet. */
const isUnattended = and(
  eq(bankSyncs.isAttended, false),
  inArray(bankSyncs.status, ["RUNNING", "SUCCEEDED", "FAILED"]),
);

/** Lists the start times of unattended reads since this instant, newest first. */
export async function listUnattendedStarts(
  db: Executor,
  connection: TenantKey,
  since: Date,
): Promise<Date[]> {
  const starts = await db
    .select({ startedAt: bankSyncs.startedAt })
    .from(bankSyncs)
    .where(and(ofConnection(connection), isUnattended, gte(bankSyncs.startedAt, since)))
    .orderBy(desc(bankSyncs.startedAt));
  return starts.map(({ startedAt }) => startedAt);
}

/** The syncs of an organization, summed up per connection. */
export interface SyncSummary {
  connectionId: string;
  /** Whether one is queued or running. */
  isActive: boolean;
  unattendedReads: number;
  /** The error of the last one that ended; null after a success. */
  errorCode: string | null;
}

/** Sums up the syncs of each connection. Counts the unattended reads since then. */
export async function listSyncSummaries(
  db: Executor,
  organizationId: string,
  since: Date,
): Promise<SyncSummary[]> {
  const isEnded = sql`status IN ('SUCCEEDED', 'FAILED')`;
  return db
    .select({
      connectionId: bankSyncs.connectionId,
      isActive: sql<boolean>`bool_or(status IN ('QUEUED', 'RUNNING'))`,
      unattendedReads: sql<number>`(count(*) FILTER (WHERE ${isUnattended} AND started_at >= ${since.toISOString()}))::int`,
      errorCode: sql<string | null>`(array_agg(error_code ORDER BY id DESC) FILTER (WHERE ${isEnded}))[1]`,
    })
    .from(bankSyncs)
    .where(eq(bankSyncs.organizationId, organizationId))
    .groupBy(bankSyncs.connectionId);
}

/**
 * Sets heartbeats to now that are later than any can be: they are from before the clock stepped back, and would keep the syncs of
 * dead processes running for as much.
 */
export async function setBackHeartbeats(db: Executor, now: Date, latest: Date): Promise<void> {
  const isRunning = and(eq(bankSyncs.status, "RUNNING"), inArray(bankSyncs.status, ["QUEUED", "RUNNING"]));
  await db
    .update(bankSyncs)
    .set({ heartbeatAt: now })
    .where(and(isRunning, gt(bankSyncs.heartbeatAt, latest)));
}

/** Sets the heartbeat of a running sync. */
export async function touchSync(db: Executor, key: TenantKey, now: Date): Promise<void> {
  await db
    .update(bankSyncs)
    .set({ heartbeatAt: now })
    .where(and(hasKey(bankSyncs, key), eq(bankSyncs.status, "RUNNING")));
}

/**
 * Stages a page of a running sync, and sets its heartbeat. Returns false if the sync was ended meanwhile. It is one
 * statement, so that no page is left behind when the sync is ended at this moment.
 */
export async function insertPage(
  db: Executor,
  { organizationId, id }: TenantKey,
  number: number,
  items: string,
  now: Date,
): Promise<boolean> {
  const inserted = await db.execute(sql`
    WITH alive AS (
      UPDATE ${bankSyncs} SET heartbeat_at = ${now.toISOString()}::timestamptz
      WHERE organization_id = ${organizationId}::text AND id = ${id}::text AND status = 'RUNNING'
      RETURNING organization_id, id)
    INSERT INTO ${bankSyncPages} (organization_id, sync_id, number, items)
    SELECT organization_id, id, ${number}::integer, ${items}::text FROM alive
    RETURNING number`);
  return inserted.length > 0;
}

export async function readPage(
  db: Executor,
  { organizationId, id: syncId }: TenantKey,
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

export async function deletePages(db: Executor, { organizationId, id: syncId }: TenantKey): Promise<void> {
  await db
    .delete(bankSyncPages)
    .where(and(eq(bankSyncPages.organizationId, organizationId), eq(bankSyncPages.syncId, syncId)));
}

/** Deletes the syncs that ended before this instant. Returns how many. */
export function purgeSyncs(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, bankSyncs, lt(bankSyncs.finishedAt, before));
}
