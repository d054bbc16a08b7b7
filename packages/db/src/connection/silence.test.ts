import { createEmptyTestDatabase, startTcpProxy } from "@purser/testing";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConnectOptions, connect } from "./connect.ts";
import type { Database } from "./database.ts";
import { isUnavailable, sqlState } from "./failure.ts";

/** A network that swallows packets in both directions: nothing ends, and nothing arrives (decision 0002). */
const marks = pgTable("marks", { name: text().notNull() });

let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
let admin: Database;
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
const open: Database[] = [];

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  admin = connect(database.url, { max: 1 });
  await admin.execute(sql`create table marks (name text not null)`);
});
beforeEach(async () => {
  proxy = await startTcpProxy(database.url);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
  await proxy.close();
  await admin.delete(marks);
});
afterAll(async () => {
  await admin.close();
  await database.drop();
});

const limits = { max: 3, statementTimeoutMs: 500, responseTimeoutMs: 1000, connectTimeoutMs: 1000 };

/** Opens a pool through the proxy, with all of its connections in use once. */
async function pooled(options: Partial<ConnectOptions> = {}): Promise<Database> {
  const pool = connect(proxy.url, { ...limits, ...options });
  open.push(pool);
  const connections = options.max ?? limits.max;
  // Beside other work, a connection may take longer than the limit, which is short for the tests' sake. What it should have
  // executed may then be executed by another one, so all of them are used again.
  const use = () =>
    Promise.all(
      Array.from({ length: connections }, () => pool.execute(sql`select pg_sleep(0.05), ${"x"}::text`)),
    );
  await vi.waitFor(async () => {
    await use();
    expect(proxy.connections).toBe(connections);
  }, 60_000);
  return pool;
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error,
  );

/** Resolves once the pool runs a statement on each of its connections again. */
async function untilHealed(pool: Database, connections = limits.max): Promise<void> {
  const heal = () =>
    Promise.all(Array.from({ length: connections }, () => pool.execute(sql`select pg_sleep(0.02)`)));
  await expect.poll(() => outcome(heal()), { interval: 20 }).toBe("resolved");
}

describe("a pool whose network swallows packets", () => {
  it("answers the statement that opens a connection, if the network falls silent just after the start-up", async () => {
    const authenticated = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
    const readyForQuery = [0x5a, 0, 0, 0, 5, 0x49];
    const peer = createServer((socket) => {
      socket.once("data", () => socket.write(Buffer.from([...authenticated, ...readyForQuery])));
    });
    await once(peer.listen(0, "127.0.0.1"), "listening");
    const { port } = peer.address() as AddressInfo;
    const pool = connect(`postgres://purser@127.0.0.1:${port}/purser`, { ...limits, max: 1 });
    open.push(pool);
    expect(isUnavailable(await outcome(pool.execute(sql`select 1`)))).toBe(true);
    peer.close();
  });

  it("answers every statement and every waiter, destroys the sockets, and heals by itself", async () => {
    const pool = await pooled();
    proxy.silence();
    const waiting = Array.from({ length: 20 }, (_, number) =>
      number % 2
        ? outcome(pool.execute(sql`select ${String(number)}::text`))
        : outcome(pool.transaction((tx) => tx.insert(marks).values({ name: "lost" }))),
    );
    for (const answer of await Promise.all(waiting)) expect(isUnavailable(answer)).toBe(true);
    await expect.poll(() => proxy.connections).toBe(0);
    proxy.restore();
    await untilHealed(pool);
    expect(pool.use).toMatchObject({ inUse: 0, waiting: 0 });
  });

  it("gives up a statement only after the time that the server has for it", async () => {
    const pool = await pooled({ responseTimeoutMs: 10_000 });
    expect(sqlState(await outcome(pool.execute(sql`select pg_sleep(5)`)))).toBe("57014");
    await pool.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 9000`);
      expect(await outcome(tx.execute(sql`select pg_sleep(0.7)`))).toBe("resolved");
    });
    expect(proxy.connections).toBe(limits.max);
  });

  it("gives up a response of which only the beginning arrived", async () => {
    const pool = await pooled({ max: 1, statementTimeoutMs: 0, responseTimeoutMs: 300 });
    const rows = pool.$client`select repeat('x', 100000), pg_sleep(0.002) from generate_series(1, 200)`;
    await rows
      .forEach(() => proxy.silence())
      .then(
        () => expect.unreachable("the rest was lost"),
        (error: unknown) => expect(isUnavailable(error)).toBe(true),
      );
  });

  it("reports a swallowed COMMIT as unavailable, whether it was committed or not", async () => {
    const pool = await pooled({ max: 1 });
    const lost = pool.transaction(async (tx) => {
      await tx.insert(marks).values({ name: "swallowed" });
      proxy.silence();
    });
    expect(isUnavailable(await outcome(lost))).toBe(true);
    proxy.restore();
    await untilHealed(pool, 1);
  });

  it("reports why a transaction failed before its ROLLBACK is given up, and keeps its connection until then", async () => {
    const pool = await pooled({ max: 1, responseTimeoutMs: 5000 });
    const failure = new Error("refused");
    const failed = pool.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      proxy.silence();
      throw failure;
    });
    expect(await outcome(failed)).toBe(failure);
    expect(pool.use.inUse).toBe(1);
    await expect.poll(() => pool.use.inUse).toBe(0);
  });

  it("refuses the later statements of a transaction, and those that wait in it", async () => {
    const pool = await pooled({ max: 1 });
    const results: unknown[] = [];
    const lost = pool.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      proxy.silence();
      const several = ["a", "b", "c"].map((name) => outcome(tx.insert(marks).values({ name })));
      results.push(...(await Promise.all(several)));
      results.push(await outcome(tx.insert(marks).values({ name: "later" })));
    });
    expect(isUnavailable(await outcome(lost))).toBe(true);
    await expect.poll(() => results).toHaveLength(4);
    expect(results.every(isUnavailable)).toBe(true);
    proxy.restore();
    await untilHealed(pool, 1);
    expect(await admin.select().from(marks)).toEqual([]);
  });

  it("sends a waiting statement on a connection of its own, not behind one that is lost or slow", async () => {
    let lostBefore = 0;
    const pool = connect(proxy.url, {
      max: 2,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
      poolWaitMs: 20_000,
      lostBefore: () => lostBefore,
    });
    open.push(pool);
    await pool.execute(sql`select 1`);
    proxy.cut();
    const lost = outcome(pool.execute(sql`select 1`));
    lostBefore = performance.now();
    await admin.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(1)`);
      const slow = outcome(pool.execute(sql`select pg_advisory_xact_lock(1)`));
      const waiting = outcome(pool.execute(sql`select 1`));
      expect(isUnavailable(await lost)).toBe(true);
      expect(await waiting).toBe("resolved");
      void slow;
    });
  });

  it("reads a response that arrived while this process stood still, instead of giving it up", async () => {
    // The statement lasts long enough to be seen, also by a process that is late.
    const pool = connect(database.url, { ...limits, max: 1, statementTimeoutMs: 0 });
    open.push(pool);
    await vi.waitFor(() => pool.execute(sql`select 1`), 60_000);
    const running = outcome(pool.execute(sql`select pg_sleep(0.5)`));
    await expect.poll(() => pool.use.inUse, { interval: 5 }).toBe(1);
    // Stops the whole thread, and takes no processor time.
    setImmediate(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500));
    expect(await running).toBe("resolved");
  });

  it("closes without waiting for the other side", async () => {
    const pool = await pooled();
    proxy.silence();
    const start = performance.now();
    await pool.close();
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
