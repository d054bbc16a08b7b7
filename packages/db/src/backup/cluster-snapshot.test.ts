import { createTestDatabase, distributedDatabaseUrl, testSettings } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../connection/connect.ts";
import type { Database } from "../connection/database.ts";
import { NodePools } from "../nodes.ts";
import type { DatabaseSettings } from "../pools.ts";
import { organizations } from "../schema/index.ts";
import { type ClusterNode, ShardPlacements } from "../shard-placements.ts";
import { withClusterSnapshot } from "./cluster-snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

describe.skipIf(distributedDatabaseUrl === null)("withClusterSnapshot", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let settings: DatabaseSettings;
  let coordinator: Database;
  let pools: NodePools;
  let placements: ShardPlacements;
  const ids = ["org_1", "org_2", "org_3"];
  const [id] = ids as [string];
  beforeAll(async () => {
    database = await createTestDatabase();
    settings = { ...testSettings(), databaseUrl: database.url };
    const limits = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionTimeoutMs: 0 };
    coordinator = connect(database.url, { max: 5, ...limits });
    const options = { coordinator, logger: { warn: () => undefined } };
    placements = new ShardPlacements(options);
    pools = new NodePools({ ...options, placements, open: openNode });
    for (const one of ids)
      await coordinator.insert(organizations).values({ id: one, name: "Old", createdAt: new Date() });
  });
  afterEach(() => rename("Old"));
  afterAll(async () => {
    await Promise.all([pools.close(), coordinator.close()]);
    await database.drop();
  });

  function openNode({ host, port }: ClusterNode): Database {
    const address = new URL(database.url);
    address.hostname = host;
    address.port = String(port);
    return connect(address.href, { max: 2, idleInTransactionTimeoutMs: 0 });
  }

  const rename = async (name: string, one = id) =>
    (await pools.poolOf(one)).transaction((transaction) =>
      transaction.update(organizations).set({ name }).where(eq(organizations.id, one)),
    );
  const snapshot = <Result>(work: (taken: Snapshot) => Promise<Result>, patienceMs = 60_000) =>
    withClusterSnapshot(settings, coordinator, work, { patienceMs });

  async function namesIn({ tables, partsOf }: Snapshot): Promise<string[]> {
    const parts = partsOf(tables.find(({ name }) => name === "public.organizations")!);
    const read = parts.map(({ transaction, name }) =>
      transaction.execute<{ id: string; name: string }>(sql.raw(`SELECT id, name FROM ${name}`)),
    );
    const rows = (await Promise.all(read)).flat();
    return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ name }) => name);
  }

  /** Opens a change, and returns what commits it. */
  async function openChange(db: Database, name: string) {
    const [opened, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = db.transaction(async (transaction) => {
      await transaction.update(organizations).set({ name }).where(eq(organizations.id, id));
      opened.resolve();
      await ended.promise;
    });
    await opened.promise;
    return async () => {
      ended.resolve();
      await change;
    };
  }

  it.each([
    ["on a node", () => pools.poolOf(id)],
    ["through the coordinator", async () => coordinator],
  ])("waits for a change that is open %s, while others are made", async (_where, poolOf) => {
    const end = await openChange(await poolOf(), "New");
    const taken = snapshot(namesIn);
    const others = ids.slice(1);
    for (let round = 0; round < 100; round += 1)
      await Promise.all(others.map((one) => rename(`Round ${round}`, one)));
    await end();
    expect(await taken).toEqual(["New", "Round 99", "Round 99"]);
  });

  it("gives up with an error, and leaves nothing locked", async () => {
    const end = await openChange(await pools.poolOf(id), "New");
    await expect(snapshot(namesIn, 0)).rejects.toThrow(
      "The backup found no moment without changes: a change or a move of a shard takes too long. Nothing was written",
    );
    await end();
    expect(await snapshot(namesIn, 0)).toEqual(["New", ...ids.slice(1).map(() => expect.anything())]);
  });

  it("does not begin while a node has a commit that is not done", async () => {
    const { node } = (await placements.placeOf(id))!;
    const other = openNode(node);
    await other.$client.begin((transaction) => transaction.unsafe("PREPARE TRANSACTION 'citus_9_9_9_9'"));
    try {
      await expect(snapshot(namesIn, 0)).rejects.toThrow("a node has prepared a commit that is not done");
    } finally {
      // A database that has one cannot be dropped.
      await other.execute(sql`ROLLBACK PREPARED 'citus_9_9_9_9'`);
    }
    expect(await snapshot(namesIn, 0)).toHaveLength(ids.length);
    await other.close();
  });

  it("is what it was after changes, and a move of a shard, which it does not hold up", async () => {
    const { node, shard } = (await placements.placeOf(id))!;
    const { nodes } = await placements.current();
    const { node: target } = nodes.find((one) => one.node.port !== node.port)!;
    await rename("Before");
    const read = await snapshot(async (taken) => {
      await rename("After");
      await coordinator.execute(sql`
        SELECT citus_move_shard_placement(${shard.id}::bigint, ${node.host}, ${node.port}, ${target.host}, ${target.port},
          'block_writes')`);
      await expectKept(node, shard.tables.get("organizations")!);
      placements.readAgain();
      return namesIn(taken);
    });
    expect(read[0]).toBe("Before");
    expect((await snapshot(namesIn))[0]).toBe("After");
  });

  /** Citus drops the table of a shard that has moved some time later. */
  async function expectKept(node: ClusterNode, table: string): Promise<void> {
    const db = openNode(node);
    const dropped = db.$client.begin(async (transaction) => {
      await transaction.unsafe("SET LOCAL lock_timeout = 100");
      await transaction.unsafe("SET LOCAL citus.enable_manual_changes_to_shards = on");
      await transaction.unsafe(`DROP TABLE ${table}`);
    });
    await expect(dropped).rejects.toMatchObject({ code: "55P03" });
    await db.close();
  }

  it("can be taken twice at once", async () => {
    const both = Promise.withResolvers<void>();
    let count = 0;
    const take = () =>
      snapshot(async (taken) => {
        count += 1;
        if (count === 2) both.resolve();
        await both.promise;
        return namesIn(taken);
      });
    const [one, other] = await Promise.all([take(), take()]);
    expect(one).toEqual(other);
  });
});
