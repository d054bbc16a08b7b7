import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Database } from "./connection/database.ts";
import * as schema from "./schema/index.ts";

/**
 * Returns a pool on a node of a cluster, for reading only the rows that the node itself holds. Each table of tenants in a SELECT
 * is a CTE of this name over the node's shards, so statements stay as they are, and use the same indexes.
 */
export async function openOwnRows(db: Database): Promise<Database> {
  const found = await db.execute<{ name: string; shards: string }>(sql`
    SELECT relname AS name, format('%I AS NOT MATERIALIZED (%s)', relname,
      string_agg('SELECT * FROM ' || shard_name(logicalrelid, shardid), ' UNION ALL ')) AS shards
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_partition USING (logicalrelid)
      JOIN pg_class ON pg_class.oid = logicalrelid
    WHERE partmethod = 'h' AND groupid = (SELECT groupid FROM pg_dist_local_group) GROUP BY relname`);
  const shards = new Map(found.map((table) => [table.name, table.shards]));
  const { $client } = db;
  const unsafe: Sql["unsafe"] = (text, ...rest) => $client.unsafe(withShards(text, shards), ...rest);
  const client = new Proxy($client, {
    get: (target, name): unknown => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
  return Object.assign(drizzle(client, { schema }), { use: db.use, close: () => db.close() });
}

function withShards(text: string, shards: ReadonlyMap<string, string>): string {
  const named = new Set([...text.matchAll(/\b(?:from|join)\s+"(\w+)"/gi)].map(([, name]) => name!));
  return `WITH ${[...named].flatMap((name) => shards.get(name) ?? []).join(", ")} ${text}`;
}
