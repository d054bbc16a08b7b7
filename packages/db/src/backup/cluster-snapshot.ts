import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "../connection/database.ts";
import { sqlState } from "../connection/failure.ts";
import { hasPreparedCommits } from "../distribute.ts";
import { type DatabaseSettings, decisionLockTimeoutMs, openMaintenanceDatabase } from "../pools.ts";
import { nodeName } from "../shard-placements.ts";
import { type ClusterLayout, type PlacedShard, readClusterLayout } from "./cluster-layout.ts";
import { type Snapshot, type TablePart, portableDates, snapshotMode } from "./snapshot.ts";
import { lockTables } from "./tables.ts";

/**
 * How long changes wait at most, at one attempt. A decision that waits is still made, and PostgreSQL, which ends a transaction
 * after a second of waiting in a circle, does not look for one yet.
 */
const longestWaitMs = decisionLockTimeoutMs / 2;
const pauseMs = 1000;
/** Citus needs up to a minute to end a commit that a crash has left prepared. */
const defaultPatienceMs = 90_000;

/**
 * Runs `work` on a snapshot of a Citus cluster. Each server has snapshots of its own, so changes of what the nodes have wait for
 * the milliseconds in which all servers take theirs. What only the coordinator has may change meanwhile: one snapshot reads it.
 */
export async function withClusterSnapshot<Result>(
  settings: DatabaseSettings,
  coordinator: Database,
  work: (snapshot: Snapshot) => Promise<Result>,
  { patienceMs = defaultPatienceMs } = {},
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  const opened = new Map<string, Database>();
  const open = (node: PlacedShard) => {
    const db = opened.get(nodeName(node)) ?? openMaintenanceDatabase(settings, { max: 2, node });
    opened.set(nodeName(node), db);
    return db;
  };
  try {
    for (;;) {
      try {
        return await atOneMoment(coordinator, open, work);
      } catch (error) {
        if (!(error instanceof ChangesGoOn) || performance.now() + pauseMs > deadline) throw error;
      }
      // What waits for the locks now comes first.
      await sleep(pauseMs);
    }
  } finally {
    await Promise.all([...opened.values()].map((db) => db.close()));
  }
}

/** The servers have no common moment yet. */
class ChangesGoOn extends Error {
  override readonly name = "ChangesGoOn";

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The backup found no moment without changes: ${reason}. Nothing was written. Try again later`,
      options,
    );
  }
}

async function atOneMoment<Result>(
  coordinator: Database,
  open: (node: PlacedShard) => Database,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const layout = await readClusterLayout(coordinator);
  const nodes = [...Map.groupBy(layout.shards, open)].map(([db, shards]) => ({ db, shards }));
  const servers = [coordinator, ...nodes.map(({ db }) => db)];
  return inTransactions(servers, snapshotMode, async (readers) => {
    const [reader, ...nodeReaders] = readers as [Transaction, ...Transaction[]];
    // None of these statements takes the snapshot.
    for (const each of readers) await each.execute(portableDates);
    await lockTables(reader, layout.tables, "alteration");
    await Promise.all(nodes.map(({ shards }, nth) => keepShards(nodeReaders[nth]!, shards)));
    await inTransactions(servers, { isolationLevel: "read committed" }, async (holders) => {
      await stopChanges(holders, layout);
      // The first query of a transaction takes its snapshot.
      await Promise.all(readers.map((each) => each.execute(sql`SELECT 1`)));
    });
    if (!isDeepStrictEqual(await readClusterLayout(reader), layout))
      throw new ChangesGoOn("shards have moved, or tables were migrated");
    const onCoordinator = { db: coordinator, transaction: reader };
    const parts: (TablePart & { table: string })[] = [
      ...layout.whole.map((own) => ({ ...own, ...onCoordinator })),
      ...nodes.flatMap(({ db, shards }, nth) =>
        shards.map((shard) => ({ ...shard, db, transaction: nodeReaders[nth]! })),
      ),
    ];
    const byTable = Map.groupBy(parts, ({ table }) => table);
    return work({
      transaction: reader,
      tables: layout.tables,
      partsOf: ({ name }) => byTable.get(name) ?? [{ name, ...onCoordinator }],
    });
  });
}

/** Runs `work` in a transaction of each pool. */
function inTransactions<Result>(
  pools: readonly Database[],
  mode: Parameters<Database["transaction"]>[1],
  work: (transactions: readonly Transaction[]) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = pools;
  if (first === undefined) return work([]);
  return first.transaction(
    (transaction) => inTransactions(others, mode, (opened) => work([transaction, ...opened])),
    mode,
  );
}

/** Keeps shards that move away from being dropped before they are read. */
async function keepShards(transaction: Transaction, shards: readonly PlacedShard[]): Promise<void> {
  await transaction.execute(sql`SET LOCAL citus.enable_manual_changes_to_shards = on`);
  await lockTables(transaction, shards, "alteration");
}

/**
 * Waits until no change of what the nodes have is open, and has all further ones wait until these transactions end: those through
 * the coordinator at its tables, whose locks they keep until the nodes have committed; and those that are made on a node at the
 * lock that each of them takes first (`shards.ts`).
 */
async function stopChanges(holders: readonly Transaction[], { onNodes }: ClusterLayout): Promise<void> {
  const [coordinator, ...nodes] = holders as [Transaction, ...Transaction[]];
  const deadline = performance.now() + longestWaitMs;
  try {
    await withLimit(coordinator, deadline, lockChanges(onNodes));
    await Promise.all(nodes.map((node) => withLimit(node, deadline, lockChangesOnNode)));
    await Promise.all(nodes.map((node) => awaitNoPreparedCommit(node, deadline)));
  } catch (error) {
    const isTimeout = ["57014", "55P03", "40P01"].includes(sqlState(error) ?? "");
    throw isTimeout
      ? new ChangesGoOn("a change or a move of a shard takes too long", { cause: error })
      : error;
  }
}

async function withLimit(transaction: Transaction, deadline: number, statement: SQL): Promise<void> {
  const leftMs = Math.max(1, Math.round(deadline - performance.now()));
  // The second is for a process that is stopped or cut off while it holds the locks.
  await transaction.execute(sql`
    SELECT set_config('statement_timeout', ${String(leftMs)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(decisionLockTimeoutMs)}, true)`);
  await transaction.execute(statement);
}

/** LOCK TABLE would lock them on every node as well, which takes longer than all else here. */
const lockChanges = (tables: readonly string[]) => sql`
  SELECT lock_relation_if_exists(name, 'SHARE') FROM unnest(${sql.param(tables)}::text[]) AS name`;

/** As a move of shards does, but PostgreSQL's RowExclusiveLock does not conflict with itself, so two backups may be made at once. */
const lockChangesOnNode = sql`
  SELECT lock_shard_metadata(3, array_agg(shardid)) FROM pg_dist_shard WHERE logicalrelid = to_regclass('organizations')`;

/** A commit that is prepared here may be done on the coordinator. */
async function awaitNoPreparedCommit(node: Transaction, deadline: number): Promise<void> {
  for (;;) {
    const [found] = await node.execute<{ isLeft: boolean }>(sql`SELECT ${hasPreparedCommits} AS "isLeft"`);
    if (!found!.isLeft) return;
    if (performance.now() > deadline) throw new ChangesGoOn("a node has prepared a commit that is not done");
    await sleep(2);
  }
}
