import { sql } from "drizzle-orm";
import type { Executor } from "../connection/database.ts";
import { type BackedUpTable, listTables } from "./tables.ts";

/** Which tables a cluster has, and where their rows are. */
export interface ClusterLayout {
  /** All tables, parents first. */
  tables: readonly BackedUpTable[];
  /** The shards of tables that are placed by organization. */
  shards: readonly PlacedShard[];
  /** What Citus calls the tables that the coordinator has whole, such as `users`. It would plan a query of the table itself. */
  whole: readonly Part[];
  /** The names of the tables that nodes have rows of. */
  onNodes: readonly string[];
}

/** A table of a server that has rows of a table of the service. */
interface Part {
  table: string;
  name: string;
}

export interface PlacedShard extends Part {
  host: string;
  port: number;
}

/** Reads the layout from the coordinator. */
export async function readClusterLayout(coordinator: Executor): Promise<ClusterLayout> {
  const tables = await listTables(coordinator);
  const rows = await coordinator.execute<PlacedPart>(sql`
    SELECT format('%I.%I', nspname, relname) AS table, shard_name(logicalrelid, shard.shardid) AS name,
      nodename AS host, nodeport AS port,
      partmethod = 'h' AS "isDistributed", repmodel = 't' AS "isReference", groupid = 0 AS "isOnCoordinator"
    FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_dist_shard AS shard USING (logicalrelid)
      LEFT JOIN (pg_dist_placement AS placement JOIN pg_dist_node USING (groupid))
        ON placement.shardid = shard.shardid AND noderole = 'primary'
    ORDER BY shard.shardid, groupid`);
  const placed = new Set(
    rows.filter((row) => row.isDistributed || row.isReference).map(({ table }) => table),
  );
  return {
    tables,
    shards: rows.filter(({ isDistributed }) => isDistributed).map(shardOf),
    whole: rows
      .filter(({ isDistributed, isOnCoordinator }) => !isDistributed && isOnCoordinator)
      .map(({ table, name }) => ({ table, name })),
    onNodes: tables.map(({ name }) => name).filter((name) => placed.has(name)),
  };
}

interface PlacedPart extends Part, Record<string, unknown> {
  host: string | null;
  port: number | null;
  isDistributed: boolean;
  isReference: boolean;
  isOnCoordinator: boolean | null;
}

function shardOf({ table, name, host, port }: PlacedPart): PlacedShard {
  if (host === null || port === null) throw new Error(`No primary node has ${name}`);
  return { table, name, host, port };
}
