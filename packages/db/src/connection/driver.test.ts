import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect as connectSocket, createServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { createEmptyTestDatabase } from "@purser/testing";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { arrayTypes } from "./array-types.ts";
import { connect } from "./connect.ts";
import type { Database, Executor, Transaction } from "./database.ts";
import { isUnavailable } from "./failure.ts";

/** Each of these tests fails with the driver as released (decision 0002). So does driver.load.test.ts. */
const marks = pgTable("marks", { name: text().notNull() });

let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
/** Over TCP, for the driver itself and for proxies. */
let address: URL;
let admin: Database;
let connected: Database;
let proxy: Server | undefined;
const uncaught: unknown[] = [];
const record = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  address = new URL(database.url);
  address.searchParams.delete("host");
  admin = connect(address.href, { max: 1 });
  await admin.execute(sql`create table marks (name text not null)`);
  process.on("uncaughtException", record).on("unhandledRejection", record);
});

beforeEach(() => {
  connected = connect(address.href, { max: 1 });
});

afterEach(async () => {
  await connected.close();
  proxy?.close();
  await admin.delete(marks);
  if (uncaught.length > 0) throw new AggregateError(uncaught.splice(0), "the process would have exited");
});

afterAll(async () => {
  process.off("uncaughtException", record).off("unhandledRejection", record);
  await admin.close();
  await database.drop();
});

async function backend(executor: Executor): Promise<number> {
  const [row] = await executor.execute(sql`select pg_backend_pid() as pid`);
  return Number(row?.["pid"]);
}

async function terminate(pid: number): Promise<void> {
  await admin.execute(sql`select pg_terminate_backend(${pid}::int, 5000)`);
}

async function names(): Promise<string[]> {
  return (await admin.select().from(marks)).map(({ name }) => name).toSorted();
}

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  const hung = sleep(20_000, "hung", { ref: false });
  return Promise.race([
    promise.then(
      () => "resolved",
      (error: unknown) => error,
    ),
    hung,
  ]);
}

/** The server's address with another port, where sockets are handled by the given function. */
async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  proxy = createServer((socket) => onSocket(socket.on("error", () => undefined)));
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const url = new URL(address);
  url.port = String((proxy.address() as AddressInfo).port);
  return url.href;
}

/** Forwards everything until a client sends the given text, then resets that connection. */
function resettingProxy(trigger: string): Promise<string> {
  return listen((socket) => {
    const upstream = connectSocket(Number(address.port), "127.0.0.1").on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (!bytes.includes(trigger)) return upstream.write(bytes);
      upstream.destroy();
      return socket.resetAndDestroy();
    });
    upstream.on("data", (bytes) => socket.write(bytes)).on("close", () => socket.end());
  });
}

describe("the driver, as loaded", () => {
  it("is the module format that the patch covers", () => {
    expect(import.meta.resolve("postgres")).toMatch(
      /postgres@[^/]+_patch_hash=[^/]+\/node_modules\/postgres\/src\/index\.js$/,
    );
  });
});

describe("the driver, when a connection closes in a transaction", () => {
  it("refuses the next statement of the callback instead of running it in another transaction", async () => {
    const [replaced, statementSent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let stale: Promise<unknown> = Promise.resolve();
    const first = connected.transaction(async (tx) => {
      await tx.insert(marks).values({ name: "first" });
      await terminate(await backend(tx));
      await replaced.promise;
      stale = outcome(tx.insert(marks).values({ name: "stale" }));
      await stale;
      statementSent.resolve();
    });
    expect(isUnavailable(await outcome(first))).toBe(true);
    await connected.transaction(async (tx) => {
      await tx.insert(marks).values({ name: "second" });
      replaced.resolve();
      await statementSent.promise;
    });
    expect(isUnavailable(await stale)).toBe(true);
    expect(await names()).toEqual(["second"]);
  });

  it("survives a statement that is sent when there is no connection", async () => {
    const [closed, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const pool = connect(address.href, { max: 1, onClose: closed.resolve });
    const first = pool.transaction(async (tx) => {
      await terminate(await backend(tx));
      // Nothing reopens the connection meanwhile.
      await closed.promise;
      await outcome(tx.insert(marks).values({ name: "x".repeat(2000) }));
      await outcome(tx.insert(marks).values({ name: "stale" }));
      sent.resolve();
    });
    expect(isUnavailable(await outcome(first))).toBe(true);
    await sent.promise;
    // The driver writes in the turn after a statement.
    await nextTurn();
    await pool.insert(marks).values({ name: "later" });
    expect(await names()).toEqual(["later"]);
    await pool.close();
  });

  it("settles every statement that waited in the transaction", async () => {
    let queued: Promise<unknown>[] = [];
    const first = connected.transaction(async (tx) => {
      const pid = await backend(tx);
      // Without a prepared plan, the first statement fills the connection, and the others queue behind it.
      queued = ["a", "b", "c"].map((name) => outcome(tx.execute(sql`select pg_sleep(5), ${name}::text`)));
      await expect.poll(() => sleeping()).toBe(pid);
      await terminate(pid);
      await Promise.all(queued);
    });
    expect(isUnavailable(await outcome(first))).toBe(true);
    for (const result of await Promise.all(queued)) expect(isUnavailable(result)).toBe(true);
  });

  it("settles a statement that is sent between a reset and the close", async () => {
    const pool = connect(await resettingProxy("reset me"), { max: 1 });
    const second: unknown[] = [];
    const first = pool.transaction(async (tx) => {
      await tx.execute(sql`select 'reset me'`).catch(() => undefined);
      second.push(await outcome(tx.execute(sql`select 1`)));
    });
    expect(isUnavailable(await outcome(first))).toBe(true);
    await expect.poll(() => second).toHaveLength(1);
    expect(isUnavailable(second[0])).toBe(true);
    expect(await outcome(pool.execute(sql`select 1`))).toBe("resolved");
    await pool.close();
  });
});

describe("the driver, after a connection closed", () => {
  it("refuses statements of its reservation, and gives the pool another connection", async () => {
    const pool = postgres(address.href, { max: 1, onnotice: () => undefined });
    const reserved = await pool.reserve();
    const waiting = [1, 2, 3].map(() => outcome(reserved`select pg_sleep(5)`));
    await expect.poll(() => sleeping()).toBeGreaterThan(0);
    await terminate(await sleeping());
    expect((await Promise.all(waiting)).every(isUnavailable)).toBe(true);
    expect(isUnavailable(await outcome(reserved`insert into marks values ('stale')`))).toBe(true);
    reserved.release();
    expect(await outcome(pool`insert into marks values ('fresh')`)).toBe("resolved");
    expect(await names()).toEqual(["fresh"]);
    await pool.end();
  });

  it("closes a pool at once afterwards", async () => {
    const pool = postgres(address.href, { max: 1, onnotice: () => undefined });
    const broken = outcome(pool`select pg_sleep(5)`);
    await expect.poll(() => sleeping()).toBeGreaterThan(0);
    await terminate(await sleeping());
    expect(isUnavailable(await broken)).toBe(true);
    expect(await outcome(pool.end())).toBe("resolved");
  });
});

describe("the driver, when a result ends in the middle", () => {
  /** Fails after two rows have been sent. */
  const failing = sql`select 1 / (3 - n) as quotient from generate_series(1, 5) as n`;

  it("starts the next result of the connection with its first row after an error", async () => {
    expect(await outcome(connected.execute(failing))).toMatchObject({ cause: { code: "22012" } });
    expect([...(await connected.execute(sql`select 7 as n`))]).toEqual([{ n: 7 }]);
  });

  it("starts the next result with its first row after the connection closed", async () => {
    // Without its last messages, the end of the result.
    const url = await listen((socket) => {
      const upstream = connectSocket(Number(address.port), "127.0.0.1").on("error", () => undefined);
      socket.on("data", (bytes) => upstream.write(bytes)).on("close", () => upstream.destroy());
      upstream.on("data", (bytes) => {
        const end = bytes.indexOf("last row");
        if (end === -1) return socket.write(bytes);
        return socket.end(bytes.subarray(0, end + "last row".length));
      });
    });
    const pool = connect(url, { max: 1 });
    expect(isUnavailable(await outcome(pool.execute(sql`select 'last' || ' row' as text`)))).toBe(true);
    expect([...(await pool.execute(sql`select 7 as n`))]).toEqual([{ n: 7 }]);
    await pool.close();
  });
});

describe("the driver, when a transaction has ended", () => {
  it("refuses the statements of a callback that continues, instead of running them outside or in the next transaction", async () => {
    const [ended, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let stale: Promise<unknown> = Promise.resolve();
    const straggler = async (tx: Transaction) => {
      await ended.promise;
      stale = outcome(tx.insert(marks).values({ name: "stale" }));
      await stale;
      over.resolve();
    };
    const failed = connected.transaction((tx) =>
      Promise.all([straggler(tx), Promise.reject(new Error("no"))]),
    );
    expect(await outcome(failed)).toMatchObject({ message: "no" });
    await connected.transaction(async (tx) => {
      await tx.insert(marks).values({ name: "next" });
      ended.resolve();
      await over.promise;
    });
    expect(await stale).toMatchObject({ cause: { code: "TRANSACTION_ENDED" } });
    expect(await names()).toEqual(["next"]);
  });
});

describe("the driver, at its limit of queries in flight", () => {
  it("reserves the connection for a transaction that begins then", async () => {
    const options = { max: 1, max_pipeline: 2, onnotice: () => undefined };
    const pool = postgres(address.href, options);
    await pool`select 1`;
    const before = [1, 2, 3].map((n) => outcome(pool`select ${n}::int from pg_sleep(0.01)`));
    const transaction = outcome(
      pool.begin(async (tx) => {
        await tx`insert into marks values ('inside')`;
        throw new Error("rolled back");
      }),
    );
    const after = outcome(pool`insert into marks values ('outside')`);
    expect(await Promise.all([...before, after])).toEqual(["resolved", "resolved", "resolved", "resolved"]);
    expect(await transaction).toMatchObject({ message: "rolled back" });
    expect(await names()).toEqual(["outside"]);
    await pool.end({ timeout: 1 });
  });
});

describe("the driver, while it connects", () => {
  it("gives up on a server that accepts and closes, instead of retrying forever", async () => {
    let accepted = 0;
    const url = await listen((socket) => {
      accepted++;
      socket.end();
    });
    const pool = connect(url);
    expect(isUnavailable(await outcome(pool.execute(sql`select 1`)))).toBe(true);
    expect(accepted).toBeLessThan(5);
    await pool.close();
  });

  it("knows the array types without asking for them", async () => {
    const elements = arrayTypes.map(([element]) => element);
    const known = await admin.execute(
      sql`select oid::int as element, typarray::int as array from pg_type where oid = any(${sql.param(elements)}::int[]) order by 1`,
    );
    expect(known.map(({ element, array }) => [element, array])).toEqual(arrayTypes);
    const pool = connect(address.href, { max: 1 });
    const [row] = await pool.execute(
      sql`select array['a', 'b'] as texts, array[1, 2]::smallint[] as numbers`,
    );
    expect(row).toEqual({ texts: ["a", "b"], numbers: [1, 2] });
    await pool.close();
  });

  it("takes the idle connection that was used last, which has the most statements prepared", async () => {
    const pool = connect(address.href, { max: 4 });
    const backends = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [row] = await pool.execute(sql`select pg_backend_pid() as pid, pg_sleep(0.01)`);
        return row!["pid"];
      }),
    );
    expect(new Set(backends).size).toBe(4);
    const later = new Set<number>();
    for (let count = 0; count < 8; count += 1) later.add(await backend(pool));
    expect(later.size).toBe(1);
    await pool.close();
  });

  it("keeps the text of a prepared statement once, without the parts that it was joined from", async () => {
    const before = usedMemory();
    for (let statement = 0; statement < 300; statement += 1) {
      let joined = "select $1::text";
      for (let part = 0; part < 300; part += 1) joined += ` -- ${statement} ${part}\n`;
      await connected.$client.unsafe(joined, ["x"]);
    }
    const size = 300 * 300 * " -- 100 100\n".length;
    expect(usedMemory() - before).toBeLessThan(2 * size);
  });

  it("reserves a new connection", async () => {
    const client = postgres(address.href, { max: 1, fetch_types: false });
    const reserved = await client.reserve();
    expect(await reserved`select 1 as one`).toEqual([{ one: 1 }]);
    reserved.release();
    await client.end();
  });
});

/** The bytes of all reachable objects. */
function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

async function sleeping(): Promise<number> {
  const [row] = await admin.execute(
    sql`select pid from pg_stat_activity
        where datname = current_database() and query like 'select pg_sleep(5)%' and state = 'active'`,
  );
  return Number(row?.["pid"] ?? 0);
}
