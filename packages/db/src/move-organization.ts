import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { isDistributed } from "./distribute.ts";
import { type DatabaseAddresses, openMaintenanceDatabase } from "./pools.ts";
import { type ClusterNode, nodeName } from "./shard-placements.ts";

interface Move {
  organizationId: string;
  /** The node to move to, as `host:port`. Default: the one with the fewest shards. */
  to?: string | undefined;
  /** Keeps changes waiting for the whole copy, which needs neither `wal_level = logical` nor a replication slot. */
  blocksWrites?: boolean | undefined;
}

/** What has moved. All shards of an organization are on one node, together with those of some others. */
export interface MovedOrganization {
  from: string;
  to: string;
  /** How many organizations have moved, with this one. */
  organizations: number;
}

/**
 * Moves an organization to another node of a Citus cluster while the service runs. Citus copies its shards, and keeps changes
 * waiting only at the end; with `synchronous_commit = off`, all the time.
 *
 * The order of the feed follows the transaction ids of the node, which are others on each node. So before the move and during it,
 * this uses up ids of the target until they are ahead of those of the source: an event after the move then follows those from
 * before. Throws ORGANIZATION_NOT_FOUND, and errors for an unknown node and where the database is not distributed.
 */
export async function moveOrganization(
  settings: DatabaseAddresses,
  { organizationId, to, blocksWrites = false }: Move,
): Promise<MovedOrganization> {
  const opened: Database[] = [];
  const open = (node?: ClusterNode) => {
    const db = openMaintenanceDatabase(settings, { max: 1, ...(node && { node }) });
    opened.push(db);
    return db;
  };
  try {
    const coordinator = open();
    // The move must not go on without this, which keeps the ids ahead.
    await coordinator.execute(sql`SET client_connection_check_interval = '1s'`);
    const planned = await planMove(coordinator, organizationId, to);
    const { shard, source, target } = planned;
    const nodes = { source: open(source), target: open(target) };
    const [inShard] = await nodes.source.execute<{ count: number }>(
      sql.raw(`SELECT count(*)::int AS count FROM organizations_${shard}`),
    );
    await advance(nodes);
    const isBlocking = blocksWrites || !(await isCommitWritten(nodes.source));
    await keepAhead(nodes, move(coordinator, planned, isBlocking ? "block_writes" : "auto"));
    return { from: nodeName(source), to: nodeName(target), organizations: inShard!.count };
  } finally {
    await Promise.all(opened.map((db) => db.close()));
  }
}

interface PlannedMove {
  shard: string;
  source: ClusterNode;
  target: ClusterNode;
}

async function planMove(
  coordinator: Database,
  organizationId: string,
  to: string | undefined,
): Promise<PlannedMove> {
  if (!(await isDistributed(coordinator)))
    throw new Error("The database is not distributed: it has no other node to move to");
  const [known] = await coordinator.execute(sql`SELECT FROM organizations WHERE id = ${organizationId}`);
  if (known === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
  const [found] = await coordinator.execute<{ shard: string }>(
    sql`SELECT get_shard_id_for_distribution_column('organizations', ${organizationId}::text)::text AS shard`,
  );
  const { shard } = found!;
  const nodes = await coordinator.execute<Record<"host", string> & { port: number; holds: boolean }>(sql`
    SELECT nodename AS host, nodeport AS port, bool_or(shardid = ${shard}::bigint) IS TRUE AS holds
    FROM pg_dist_node LEFT JOIN pg_dist_placement USING (groupid)
    WHERE noderole = 'primary' AND isactive AND shouldhaveshards
    GROUP BY nodeid, nodename, nodeport ORDER BY count(shardid), nodeid`);
  const source = nodes.find(({ holds }) => holds);
  const others = nodes.filter((node) => node !== source);
  const target = to === undefined ? others[0] : others.find((node) => nodeName(node) === to);
  if (source === undefined) throw new Error("The node of the organization takes no shards");
  if (target === undefined)
    throw new Error(`Choose another node: ${others.map(nodeName).join(", ") || "there is none"}`);
  return { shard, source, target };
}

async function move(
  coordinator: Database,
  { shard, source, target }: PlannedMove,
  mode: string,
): Promise<void> {
  await coordinator.execute(sql`
    SELECT citus_move_shard_placement(${shard}::bigint, ${source.host}::text, ${source.port}::int,
      ${target.host}::text, ${target.port}::int, ${mode}::citus.shard_transfer_mode)`);
}

/**
 * Whether a commit is in the log of the source when it is acknowledged. Otherwise Citus must not copy while changes go on: it reads
 * what has changed from the log, as far as that is written at the end, and would lose the last changes.
 */
async function isCommitWritten(source: Database): Promise<boolean> {
  const [row] = await source.execute<{ waits: string }>(
    sql`SELECT current_setting('synchronous_commit') AS waits`,
  );
  return row!.waits !== "off";
}

type Nodes = Record<"source" | "target", Database>;

/** How far the ids of the target are ahead: the source does not use as many while this looks away. */
const lead = 100_000n;
const everyMs = 100;
/** A statement with more would take minutes. */
const mostAtOnce = 1_000_000n;

/** Keeps the ids of the target ahead until the move has ended. */
async function keepAhead(nodes: Nodes, moving: Promise<void>): Promise<void> {
  const ended = moving.then(() => true);
  ended.catch(() => undefined);
  do await advance(nodes);
  while (!(await Promise.race([ended, sleep(everyMs, false)])));
}

/** Uses up transaction ids of the target until they are ahead of those of the source. */
async function advance({ source, target }: Nodes): Promise<void> {
  for (;;) {
    const [used, usedThere] = await Promise.all([nextTransactionId(source), nextTransactionId(target)]);
    const missing = used + lead - usedThere;
    if (missing <= 0n) return;
    const count = missing < mostAtOnce ? missing : mostAtOnce;
    await target.execute(
      sql.raw(
        `DO $$ BEGIN FOR nth IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
      ),
    );
  }
}

/** As events have it. Open transactions may have later ids, by far fewer than the lead. */
async function nextTransactionId(node: Database): Promise<bigint> {
  const [row] = await node.execute<{ next: string }>(
    sql`SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_lead())::text AS next`,
  );
  return BigInt(row!.next);
}
