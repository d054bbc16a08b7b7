import { createTestDatabase, distributedDatabaseUrl, startTcpProxy } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { isUnavailable } from "./connection/failure.ts";
import { moveOrganization } from "./move-organization.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url);
  await db.execute(sql`INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'One', now())`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const move = (organizationId: string, to?: string) =>
  moveOrganization(
    { databaseUrl: database.url, directDatabaseUrl: null },
    // The name of a replication slot is the same in the databases of other tests.
    { organizationId, to, blocksWrites: true },
  );

describe.skipIf(distributedDatabaseUrl !== null)("moving an organization on one PostgreSQL", () => {
  it("is refused", async () => {
    await expect(move("org_1")).rejects.toThrow("The database is not distributed");
  });
});

describe.skipIf(distributedDatabaseUrl === null)("moving an organization on a cluster", () => {
  const nodeName = async () => {
    const [row] = await db.execute<{ name: string }>(sql`
      SELECT nodename || ':' || nodeport AS name FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
      WHERE shardid = get_shard_id_for_distribution_column('organizations', 'org_1')`);
    return row!.name;
  };

  it("names the nodes that there are if the other one is unknown, and knows no other organization", async () => {
    const here = await nodeName();
    await expect(move("org_1", here)).rejects.toThrow(/^Choose another node: \S+:\d+/);
    await expect(move("org_1", "nowhere:1")).rejects.toThrow(/^Choose another node: \S+:\d+/);
    await expect(move("org_2")).rejects.toMatchObject({ code: "ORGANIZATION_NOT_FOUND" });
    expect(await nodeName()).toBe(here);
  });

  it("moves its shards to the named node, with their rows", async () => {
    const from = await nodeName();
    const moved = await move("org_1");
    expect(moved).toEqual({ from, to: await nodeName(), organizations: 1 });
    expect(moved.to).not.toBe(from);
    expect(await move("org_1", from)).toEqual({ from: moved.to, to: from, organizations: 1 });
    expect(await db.execute(sql`SELECT name FROM organizations`)).toEqual([{ name: "One" }]);
  });

  it("ends with the process that keeps the ids ahead", async () => {
    const here = await nodeName();
    const proxy = await startTcpProxy(database.url);
    const moves = (state: string) =>
      db.$count(sql`pg_stat_activity`, sql`query LIKE '%citus_move_shard_placement(%' AND ${sql.raw(state)}`);
    const waiting = "wait_event_type = 'Lock' AND pid <> pg_backend_pid()";
    await db.transaction(async (change) => {
      await change.execute(sql`
        SELECT lock_shard_metadata(5, ARRAY[get_shard_id_for_distribution_column('organizations', 'org_1')])`);
      const moving = moveOrganization(
        { databaseUrl: proxy.url, directDatabaseUrl: null },
        { organizationId: "org_1", blocksWrites: true },
      );
      const failure = moving.catch((error: unknown) => error);
      await expect.poll(() => moves(waiting)).toBe(1);
      proxy.refuse();
      expect(await failure).toSatisfy(isUnavailable);
      await expect.poll(() => moves(waiting)).toBe(0);
    });
    await proxy.close();
    expect(await nodeName()).toBe(here);
  });
});
