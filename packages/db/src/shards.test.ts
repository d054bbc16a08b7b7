import { createTestDatabase, distributedDatabaseUrl } from "@purser/testing";
import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { hasMoved, sqlState } from "./connection/failure.ts";
import { NodePools, findInAnyOrganization } from "./nodes.ts";
import { memberships, organizations, sessions, users } from "./schema/index.ts";
import { type ClusterNode, ShardPlacements } from "./shard-placements.ts";
import { changeAtOnce, inSameRequest, openCoordinator, tracingTables } from "./shards.ts";

const now = new Date("2026-03-02T09:00:00.000Z");

describe.skipIf(distributedDatabaseUrl === null)("the shards of a cluster", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pools: NodePools;
  let placements: ShardPlacements;
  let coordinator: Database;
  let mover: Database;
  const sent: string[] = [];
  const named: string[] = [];
  const opened: Database[] = [];
  const tables = tracingTables({
    statement: (text) => (named.push(text), () => undefined),
    transaction: (run) => run(),
  });
  const tracer = {
    statement(text: string) {
      sent.push(text);
      tables.statement(text);
      return () => undefined;
    },
    transaction: <Result>(run: () => Promise<Result>) => run(),
  };
  const open = (url: string) => {
    const db = connect(url, { tracer });
    opened.push(db);
    return db;
  };
  const openNode = ({ host, port }: ClusterNode) => {
    const address = new URL(database.url);
    address.hostname = host;
    address.port = String(port);
    return open(address.href);
  };
  const id = "org_1";
  beforeAll(async () => {
    database = await createTestDatabase();
    coordinator = await openCoordinator(open(database.url));
    mover = connect(database.url, { statementTimeoutMs: 0, lockTimeoutMs: 0 });
    opened.push(mover);
    const options = { coordinator, logger: { warn: () => undefined } };
    placements = new ShardPlacements(options);
    pools = new NodePools({ ...options, placements, open: openNode });
    await coordinator.insert(organizations).values({ id, name: "One", createdAt: now });
    const user = { name: "A", emailVerified: true, createdAt: now, updatedAt: now };
    for (const name of ["user_1", "user_2"])
      await coordinator.insert(users).values({ ...user, id: name, email: `${name}@example.com` });
    const membership = { organizationId: id, userId: "user_1", role: "OWNER", isCreator: true } as const;
    await coordinator.insert(memberships).values({ id: "mem_1", ...membership, createdAt: now });
  });
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()));
    await database.drop();
  });

  /** Moves the organization to the other node. */
  async function move(): Promise<void> {
    const { node, shard } = (await placements.placeOf(id))!;
    const { nodes } = await placements.current();
    const { node: other } = nodes.find((one) => one.node.port !== node.port)!;
    await mover.execute(sql`
      SELECT citus_move_shard_placement(${shard.id}::bigint, ${node.host}, ${node.port}, ${other.host}, ${other.port},
        'block_writes')`);
  }

  const rename = (db: Database, name: string) =>
    changeAtOnce(db, (executor) =>
      executor.update(organizations).set({ name }).where(eq(organizations.id, id)).returning(),
    );

  it("are read and changed under the names of their tables, whatever those are called in the statement", async () => {
    const db = await pools.poolOf(id);
    sent.length = named.length = 0;
    const own = alias(memberships, "own");
    const joined = await db
      .select({ role: memberships.role, name: organizations.name, email: users.email, other: own.id })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .innerJoin(users, eq(users.id, memberships.userId))
      .innerJoin(own, and(eq(own.organizationId, memberships.organizationId), eq(own.id, memberships.id)));
    expect(joined).toEqual([{ role: "OWNER", name: "One", email: "user_1@example.com", other: "mem_1" }]);
    const [written] = await db.execute(sql`
      SELECT one.name, one.id IS DISTINCT FROM ${sql.raw('"one"')}.name AS differs FROM ${organizations} AS one
      WHERE EXISTS (SELECT FROM ${memberships} WHERE ${memberships.organizationId} = one.id)`);
    expect(written).toEqual({ name: "One", differs: true });
    expect((await rename(db, "First")).map(({ name }) => name)).toEqual(["First"]);
    await db.transaction(async (transaction) => {
      await transaction.insert(memberships).values({
        organizationId: id,
        id: "mem_2",
        userId: "user_2",
        role: "MEMBER",
        isCreator: false,
        createdAt: now,
      });
      await transaction.transaction((nested) =>
        nested.delete(memberships).where(eq(memberships.id, "mem_2")),
      );
    });
    expect(named[0]).toContain('from "memberships" inner join "organizations" on');
    const unnumbered = sent.flatMap(
      (text) => text.match(/\b(?:organizations|memberships|users)(?:_\d+)?\b(?!")/g) ?? [],
    );
    expect(unnumbered.filter((table) => !/_\d{6,}$/.test(table))).toEqual([]);
    expect(await rename(db, "One")).toHaveLength(1);
  });

  it("refuse a change outside of a transaction, where they could move away at the same time", async () => {
    const db = await pools.poolOf(id);
    await expect(rename(db, "Renamed")).resolves.toHaveLength(1);
    const refused = db.update(organizations).set({ name: "Lost" }).execute();
    await expect(refused).rejects.toMatchObject({
      cause: { message: expect.stringContaining("in a transaction") },
    });
    await rename(db, "One");
  });

  it("stay where they are during a transaction that changes them, and fail once where they were", async () => {
    const db = await pools.poolOf(id);
    const moving = Promise.withResolvers<void>();
    await db.transaction(async (transaction) => {
      await transaction.update(organizations).set({ name: "Held" });
      void move().then(moving.resolve, moving.reject);
      // It waits for this transaction.
      await expect.poll(() => waitingMoves()).toBe(1);
    });
    await moving.promise;
    await expect(db.select().from(organizations)).rejects.toSatisfy(hasMoved);
    await expect(rename(db, "Lost")).rejects.toSatisfy(hasMoved);
    const moved = await pools.poolOf(id);
    expect(moved).not.toBe(db);
    expect((await moved.select().from(organizations)).map(({ name }) => name)).toEqual(["Held"]);
    expect((await rename(moved, "Moved")).map(({ name }) => name)).toEqual(["Moved"]);
  });

  async function waitingMoves(): Promise<number> {
    const { node } = (await placements.placeOf(id))!;
    const [row] = await openNode(node).execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
    return row!.count;
  }

  it("are asked once in a request whether they are still here, which then finds them as they were", async () => {
    const db = await pools.poolOf(id);
    const known = inSameRequest(db);
    expect(inSameRequest(known)).toBe(known);
    expect(inSameRequest(coordinator)).toBe(coordinator);
    sent.length = 0;
    const [before] = await db.select().from(organizations);
    expect(await known.select().from(organizations)).toEqual([before]);
    expect(sent.map((text) => text.includes("pg_dist_placement"))).toEqual([true, false]);
    expect(sent[1]).toMatch(/ from organizations_\d+ AS "organizations"$/);
    await move();
    await expect(db.select().from(organizations)).rejects.toSatisfy(hasMoved);
    // Citus may have dropped them there by now.
    const [after] = await known.select().from(organizations).catch(rowUnlessMoved(before));
    expect(after).toEqual(before);
    await expect(rename(known, "Lost")).rejects.toSatisfy(hasMoved);
    expect(await rename(inSameRequest(await pools.poolOf(id)), "Moved")).toHaveLength(1);
  });

  const rowUnlessMoved =
    <Row>(row: Row) =>
    (error: unknown) => {
      expect(error).toSatisfy(hasMoved);
      return [row];
    };

  it("are found by a look-up while they move, too", async () => {
    const find = () =>
      findInAnyOrganization(coordinator, (any) =>
        any.select().from(organizations).where(eq(organizations.id, id)),
      );
    expect(await find()).toHaveLength(1);
    await move();
    expect(await find()).toHaveLength(1);
    expect(await find()).toHaveLength(1);
  });

  it("include those of the coordinator's own tables, which it reads without Citus", async () => {
    await coordinator.insert(sessions).values({
      id: "ses_1",
      token: "secret",
      userId: "user_1",
      expiresAt: now,
      createdAt: now,
      updatedAt: now,
    });
    sent.length = 0;
    const read = () =>
      coordinator
        .select({ email: users.email })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId));
    expect(await read()).toEqual([{ email: "user_1@example.com" }]);
    expect(sent[0]).toMatch(/from sessions_\d+ AS "sessions" inner join users_\d+ AS "users"/);
    const [row] = await coordinator
      .select({ name: organizations.name })
      .from(organizations)
      .innerJoin(users, eq(users.id, "user_1"));
    expect(row).toBeDefined();
    expect(sent[1]).toContain('"organizations" inner join "users"');
    const failed = coordinator.execute(sql`SELECT FROM sessions_1`);
    await expect(failed).rejects.toSatisfy((error) => sqlState(error) === "42P01");
  });
});
