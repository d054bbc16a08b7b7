import { createTestDatabase, distributedDatabaseUrl, proxyNodes } from "@purser/testing";
import { desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "./connection/connect.ts";
import type { QueryTracer } from "./connection/client.ts";
import type { Database } from "./connection/database.ts";
import { isAway, sqlState } from "./connection/failure.ts";
import { NodePools, findInAnyOrganization, searchAllOrganizations } from "./nodes.ts";
import { openDatabase, openDecisionDatabase } from "./pools.ts";
import { organizations as organizationsTable } from "./schema/index.ts";
import { type ClusterNode, ShardPlacements } from "./shard-placements.ts";
import { openShard } from "./shards.ts";

const poolSettings = {
  directDatabaseUrl: null,
  replicaDatabaseUrl: null,
  databasePoolSize: 1,
  decisionPoolSize: 1,
  databasePrepare: true,
};

describe.skipIf(distributedDatabaseUrl === null)("the nodes of a cluster", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let coordinator: Database;
  const statements: string[] = [];
  const tracer: QueryTracer = {
    statement(text) {
      statements.push(text);
      return () => undefined;
    },
    transaction: (run) => run(),
  };
  const opened: Database[] = [];
  const organizations = Array.from({ length: 12 }, (_, nth) => `org_${nth}`);
  beforeAll(async () => {
    database = await createTestDatabase();
    // Moving a shard moves those of all tables.
    coordinator = connect(database.url, { tracer, statementTimeoutMs: 60_000 });
    for (const id of organizations)
      await coordinator.execute(
        sql`INSERT INTO organizations (id, name, created_at) VALUES (${id}, ${id}, now())`,
      );
  });
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()));
    await coordinator.close();
    await database.drop();
  });

  const addressOf = ({ host, port }: ClusterNode) => {
    const address = new URL(database.url);
    address.hostname = host;
    address.port = String(port);
    return address.href;
  };
  const openPools = ({ address = addressOf, refreshMs = 60_000 } = {}) => {
    const warn = vi.fn<(...log: unknown[]) => void>();
    const options = { coordinator, logger: { warn }, refreshMs };
    const open = (node: ClusterNode) => {
      const db = connect(address(node));
      opened.push(db);
      return db;
    };
    const placements = new ShardPlacements(options);
    return { pools: new NodePools({ ...options, placements, open }), placements, warn };
  };
  const portOf = async (db: Database) => {
    const [row] = await db.execute<{ port: number }>(sql`SELECT inet_server_port() AS port`);
    return row!.port;
  };
  const nodeByCitus = async (organizationId: string) => {
    const [row] = await coordinator.execute<{ port: number; shard: string }>(sql`
      SELECT nodeport AS port, shardid::text AS shard FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
      WHERE shardid = get_shard_id_for_distribution_column('organizations', ${organizationId}::text)`);
    return row!;
  };

  it.each([
    ["requests", openDatabase],
    ["decisions", openDecisionDatabase],
  ])(
    "keep the memory of their connections small, however often they execute a statement (%s)",
    async (_, open) => {
      const [id] = organizations as [string];
      const { node, shard } = (await openPools().placements.placeOf(id))!;
      const settings = { ...poolSettings, databaseUrl: database.url };
      const pool = open(settings, { node });
      opened.push(pool);
      const db = openShard(pool, shard, () => undefined);
      const memory = async () => {
        const [row] = await db.execute<{ bytes: number }>(
          sql`SELECT sum(total_bytes)::int AS bytes FROM pg_backend_memory_contexts`,
        );
        return row!.bytes;
      };
      const execute = async (times: number) => {
        for (let nth = 0; nth < times; nth += 1)
          await db.select().from(organizationsTable).where(eq(organizationsTable.id, id));
      };
      await memory();
      await execute(20);
      const before = await memory();
      await execute(200);
      expect((await memory()) - before).toBeLessThan(200 * 1024);
    },
  );

  it("are reached by organization, and asked for once each", async () => {
    const { pools } = openPools();
    const ports = new Set<number>();
    for (const id of organizations) {
      const db = await pools.poolOf(id);
      const [row] = await db.execute(sql`SELECT name FROM organizations WHERE id = ${id}`);
      expect(row).toEqual({ name: id });
      const port = await portOf(db);
      expect(port).toBe((await nodeByCitus(id)).port);
      ports.add(port);
    }
    expect(ports.size).toBe(2);
    const openPorts = new Set(pools.open.map(({ node }) => Number(node.split(":")[1])));
    expect(openPorts).toEqual(ports);
    statements.length = 0;
    await Promise.all(organizations.map((id) => pools.poolOf(id)));
    expect(statements).toEqual([]);
  });

  it("are left to the coordinator while they do not answer, or it does not", async () => {
    // Nothing listens at the port of tcpmux.
    const { pools, warn } = openPools({ address: (node) => addressOf({ ...node, port: 1 }) });
    expect(await pools.poolOf("org_1")).toBe(coordinator);
    expect(warn).toHaveBeenCalledOnce();

    const broken = connect(addressOf({ host: "127.0.0.1", port: 1 }));
    opened.push(broken);
    const logger = { warn };
    const placements = new ShardPlacements({ coordinator: broken, logger });
    expect(await placements.nodeOf("org_1")).toBeNull();
  });

  it("are those of now, however long nobody has asked, and only those that answer every statement", async () => {
    vi.useFakeTimers({ toFake: ["performance"], shouldAdvanceTime: true });
    const { pools, placements } = openPools({ refreshMs: 100 });
    const node = (await placements.nodeOf("org_1"))!;
    await pools.poolOf("org_1");
    expect(pools.open).toHaveLength(1);
    const set = (column: string, value: boolean) =>
      coordinator.execute(
        sql`UPDATE pg_dist_node SET ${sql.identifier(column)} = ${value} WHERE nodeport = ${node.port}`,
      );
    for (const column of ["isactive", "hasmetadata", "metadatasynced"]) {
      vi.advanceTimersByTime(400);
      await set(column, false);
      try {
        expect(await placements.nodeOf("org_1"), column).toBeNull();
      } finally {
        await set(column, true);
      }
      await expect.poll(() => placements.nodeOf("org_1")).toEqual(node);
    }
    vi.useRealTimers();
  });

  it("are closed when they are removed", async () => {
    const { pools, placements } = openPools({ refreshMs: 0 });
    for (const id of organizations) await pools.poolOf(id);
    expect(pools.open).toHaveLength(2);
    const { port } = (await placements.nodeOf("org_1"))!;
    await coordinator.execute(sql`UPDATE pg_dist_node SET isactive = false WHERE nodeport = ${port}`);
    try {
      await Promise.all(organizations.map((id) => pools.poolOf(id)));
      expect(pools.open.map(({ node }) => node)).not.toContain(`127.0.0.1:${port}`);
      expect(pools.open).toHaveLength(1);
    } finally {
      await coordinator.execute(sql`UPDATE pg_dist_node SET isactive = true WHERE nodeport = ${port}`);
    }
  });

  it("are left to the coordinator while they are a standby, or the former primary after a failover", async () => {
    const { warn, ...options } = openPools();
    const open = (node: ClusterNode) => {
      const db = connect(addressOf(node), { parameters: { default_transaction_read_only: "on" } });
      opened.push(db);
      return db;
    };
    const pools = new NodePools({ coordinator, logger: { warn }, placements: options.placements, open });
    expect(await pools.poolOf("org_1")).toBe(coordinator);
    expect(warn).toHaveBeenCalledOnce();
  });

  class WithNodeThatIsDown extends ShardPlacements {
    // Nothing listens at the port of tcpmux.
    override current = async () => {
      const placement = await super.current();
      const down = { node: { host: "127.0.0.1", port: 1 }, shards: [] };
      return { ...placement, nodes: [...placement.nodes, down] };
    };
  }
  const openPoolsWithNodeThatIsDown = () => {
    const { warn } = openPools();
    const options = { coordinator, logger: { warn } };
    const open = (node: ClusterNode) => {
      const db = connect(addressOf(node));
      opened.push(db);
      return db;
    };
    const pools = new NodePools({ ...options, placements: new WithNodeThatIsDown(options), open });
    // Otherwise they ask again and again for the one that is down.
    onTestFinished(() => pools.close());
    return pools;
  };
  const searchIds = async () => {
    const found = await searchAllOrganizations(coordinator, (db) =>
      db.select({ id: organizationsTable.id }).from(organizationsTable).limit(100),
    );
    return found.map((row) => row.id).toSorted();
  };

  it("are each asked for their own rows while another one is down, for a page in its order", async () => {
    const { id } = organizationsTable;
    const pools = openPoolsWithNodeThatIsDown();
    statements.length = 0;
    expect(await searchIds()).toEqual(organizations.toSorted());
    const newest = await findInAnyOrganization(
      coordinator,
      (db) => db.select({ id }).from(organizationsTable).orderBy(desc(id)).limit(5),
      { by: (row) => row.id, descending: true, limit: 5 },
    );
    expect(newest.map((row) => row.id)).toEqual(organizations.toSorted().toReversed().slice(0, 5));
    expect(statements.filter((text) => text.includes('from "organizations"'))).toEqual([]);
    // None of them has it, so the one that is down may.
    const unknown = findInAnyOrganization(coordinator, (db) =>
      db.select({ id }).from(organizationsTable).where(eq(id, "org_none")),
    );
    await expect(unknown).rejects.toSatisfy(isAway);
    expect(statements.filter((text) => text.includes('from "organizations"'))).toEqual([]);
    expect(pools.open).toHaveLength(3);
  });

  it("are asked without one that is silent, once a statement has waited for it", async () => {
    const own = await createTestDatabase();
    const proxies = await proxyNodes(own.url);
    onTestFinished(async () => {
      await proxies.close();
      await own.drop();
    });
    const db = connect(own.url, { statementTimeoutMs: 500, tracer });
    opened.push(db);
    for (const id of organizations)
      await db.execute(sql`INSERT INTO organizations (id, name, created_at) VALUES (${id}, ${id}, now())`);
    const { warn } = openPools();
    const options = { coordinator: db, logger: { warn } };
    const open = ({ host, port }: ClusterNode) => {
      const address = new URL(own.url);
      [address.hostname, address.port] = [host, String(port)];
      const pool = connect(address.href);
      opened.push(pool);
      return pool;
    };
    const pools = new NodePools({ ...options, placements: new ShardPlacements(options), open });
    const { id } = organizationsTable;
    const find = (wanted: string) =>
      findInAnyOrganization(db, (any) => any.select({ id }).from(organizationsTable).where(eq(id, wanted)));
    const search = () => searchAllOrganizations(db, (all) => all.select({ id }).from(organizationsTable));
    expect(await search()).toHaveLength(organizations.length);
    await Promise.all(organizations.map((each) => pools.poolOf(each)));
    proxies.all[1]!.silence();
    statements.length = 0;
    const inTransaction = db.transaction((transaction) =>
      findInAnyOrganization(transaction, (any) => any.select({ id }).from(organizationsTable)),
    );
    await expect(inTransaction).rejects.toSatisfy((error) => sqlState(error) === "57014");
    expect(statements.filter((text) => text.includes("citus_check_connection"))).toEqual([]);
    const others = await search();
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(organizations.length);
    statements.length = 0;
    expect(await search()).toEqual(others);
    expect(await find(others[0]!.id)).toEqual([others[0]]);
    // Those of the silent node, and one that may be there, are refused without waiting for it.
    const silent = organizations.filter((each) => others.every((other) => other.id !== each));
    for (const each of silent) {
      await expect(pools.poolOf(each)).rejects.toSatisfy(isAway);
      await expect(find(each)).rejects.toSatisfy(isAway);
    }
    expect(statements).toEqual([]);
  });

  it("are down when they are silent, though the coordinator has kept a connection to them", async () => {
    const own = await createTestDatabase();
    const proxies = await proxyNodes(own.url);
    onTestFinished(async () => {
      await proxies.close();
      await own.drop();
    });
    const db = connect(own.url, { max: 1 });
    opened.push(db);
    const { warn } = openPools();
    const options = { coordinator: db, logger: { warn } };
    const pools = new NodePools({
      ...options,
      placements: new ShardPlacements(options),
      open: () => connect(addressOf({ host: "127.0.0.1", port: 1 })),
    });
    await db.execute(sql`SELECT FROM organizations`);
    proxies.all.forEach((proxy) => proxy.silence());
    await expect(pools.poolOf("org_1")).rejects.toSatisfy(isAway);
  });

  async function move(organizationId: string): Promise<{ port: number }> {
    const { shard, port: before } = await nodeByCitus(organizationId);
    const [other] = await coordinator.execute<{ host: string; port: number; from: string }>(sql`
      SELECT there.nodename AS host, there.nodeport AS port, here.nodename AS from
      FROM pg_dist_node there, pg_dist_node here
      WHERE here.nodeport = ${before} AND there.groupid NOT IN (0, here.groupid)`);
    await coordinator.execute(sql`SELECT citus_move_shard_placement(${shard}::bigint, ${other!.from}, ${before},
      ${other!.host}, ${other!.port}, 'block_writes')`);
    return other!;
  }

  it("are read again while one is down, when a shard has moved between the others", async () => {
    openPoolsWithNodeThatIsDown();
    expect(await searchIds()).toEqual(organizations.toSorted());
    await move("org_1");
    await coordinator.execute(sql`CALL citus_cleanup_orphaned_resources()`);
    expect(await searchIds()).toEqual(organizations.toSorted());
  });

  it("are found again when a shard has moved", async () => {
    const { pools } = openPools({ refreshMs: 0 });
    await pools.poolOf("org_1");
    const { port } = await move("org_1");
    await vi.waitFor(
      async () => {
        const db = await pools.poolOf("org_1");
        expect(await portOf(db)).toBe(port);
        const [row] = await db.execute(sql`SELECT name FROM organizations WHERE id = 'org_1'`);
        expect(row).toEqual({ name: "org_1" });
      },
      { timeout: 60_000 },
    );
  });
});
