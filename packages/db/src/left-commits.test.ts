import { createTestDatabase, distributedDatabaseUrl, proxyNodes } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { isUnavailable } from "./connection/failure.ts";
import { NodePools } from "./nodes.ts";
import { organizations } from "./schema/index.ts";
import { type ClusterNode, ShardPlacements } from "./shard-placements.ts";

it.skipIf(distributedDatabaseUrl === null)(
  "a commit that the coordinator could not finish on a node is finished by the next probe",
  async () => {
    const database = await createTestDatabase();
    const opened: Database[] = [];
    onTestFinished(async () => {
      // A database that has one cannot be dropped.
      await coordinator.execute(sql`SELECT recover_prepared_transactions()`);
      await Promise.all(opened.map((db) => db.close()));
      await database.drop();
    });
    const open = (url: string) => {
      const db = connect(url, { max: 2 });
      opened.push(db);
      return db;
    };
    const openNode = ({ host, port }: ClusterNode) => {
      const address = new URL(database.url);
      [address.hostname, address.port] = [host, String(port)];
      return open(address.href);
    };
    const coordinator = open(database.url);
    const id = "org_1";
    await coordinator.insert(organizations).values({ id, name: "First", createdAt: new Date() });
    const options = { coordinator, logger: { warn: () => undefined }, refreshMs: 100 };
    const placements = new ShardPlacements(options);
    const { node, shard } = (await placements.placeOf(id))!;
    // As when the network breaks after the coordinator has committed, and before it says so to the node.
    const prepared = "citus_0_1_2000000000_0";
    await openNode(node).$client.begin("", async (transaction) => {
      await transaction.unsafe(`UPDATE ${shard.tables.get("organizations")} SET name = 'Second'`);
      await transaction.unsafe(`PREPARE TRANSACTION '${prepared}'`);
    });
    await coordinator.execute(sql`
      INSERT INTO pg_dist_transaction (groupid, gid)
      SELECT groupid, ${prepared} FROM pg_dist_placement WHERE shardid = ${shard.id}`);
    // No probe has begun yet.
    expect(await coordinator.select({ name: organizations.name }).from(organizations)).toEqual([
      { name: "First" },
    ]);
    const pools = new NodePools({ ...options, placements, open: openNode });
    const readName = async () => {
      const db = await pools.poolOf(id);
      const [row] = await db
        .select({ name: organizations.name })
        .from(organizations)
        .where(eq(organizations.id, id));
      return row!.name;
    };
    await expect.poll(readName).toBe("Second");
  },
);

it.skipIf(distributedDatabaseUrl === null)(
  "a commit that loses a node before it is prepared is undone, and the database is unavailable",
  async () => {
    const database = await createTestDatabase();
    const proxies = await proxyNodes(database.url);
    const coordinator = connect(database.url, { max: 2 });
    onTestFinished(async () => {
      await coordinator.close();
      await proxies.close();
      await database.drop();
    });
    const ids = Array.from({ length: 20 }, (_, nth) => `org_${nth}`);
    const write = (beforeCommit: () => void) =>
      coordinator.transaction(async (transaction) => {
        for (const id of ids)
          await transaction.insert(organizations).values({ id, name: id, createdAt: new Date() });
        beforeCommit();
      });
    const failure = await write(() => proxies.all[0]!.refuse()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isUnavailable(failure)).toBe(true);
    proxies.all[0]!.restore();
    await write(() => undefined);
    expect(await coordinator.$count(organizations)).toBe(ids.length);
  },
);
