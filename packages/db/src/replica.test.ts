// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ReplicatedPostgres,
  createTestDatabase,
  startReplicatedPostgres,
  startTcpProxy,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { Replica } from "./replica.ts";

/** A replica takes long on a busy machine. Tests of its absence set shorter limits. */
const slowLimits = { catchUpTimeoutMs: 10_000, cooldownMs: 20, responseTimeoutMs: 10_000 };

/** Null if no replica can be started; then every test is skipped. */
let started: ReplicatedPostgres | null = null;
let servers: ReplicatedPostgres;
let primary: Database;
let logged: string[];
/** Why each read used the primary. */
let reasons: string[];
/** How often a replica's position was queried. */
let positionQueries: number;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  started = await startReplicatedPostgres();
  if (started === null) return;
  servers = started;
  ({ primary } = servers);
  await primary.execute(sql`CREATE TABLE notes (number int)`);
});
beforeEach(async ({ skip }) => {
  skip(started === null, "No PostgreSQL comes with the install on this platform");
  [logged, reasons, positionQueries] = [[], [], 0];
  await primary.execute(sql`DELETE FROM notes`);
});
afterEach(() =>
  Promise.all([
    started?.resume(),
    started?.finishCommits(),
    started?.cancelConflictsAfter(30_000),
    ...opened.splice(0).map((one) => one.close()),
  ]),
);
afterAll(() => started?.stop());

const note = (number: number) => primary.execute(sql`INSERT INTO notes VALUES (${number})`);

type Options = Partial<{ url: string; from: Database; connections: number }>;

/** The replica as one process sees it. */
function follow({ url = servers.replicaUrl, from = primary, connections = 4 }: Options = {}, limits = {}) {
  const log = (_: object, message: string) => void logged.push(message);
  const open = (onClose: () => void) => {
    const db = connect(url, {
      max: connections,
      applicationName: "followed",
      onClose,
      statementTimeoutMs: 60_000,
    });
    db.$client.options.debug = (_, text) => void (text.includes("replay_lsn") && (positionQueries += 1));
    return db;
  };
  const logger = { debug: log, info: log, warn: log, error: log };
  const onRead = (outcome: string) => void (outcome !== "replica" && reasons.push(outcome));
  const replica = new Replica({ primary: from, open, logger, onRead }, { ...slowLimits, ...limits });
  opened.push(replica);
  return replica;
}

/** The highest note, and which server returned it. */
const look = (replica: Replica) =>
  replica.read(async (db) => {
    const [row] = await db.execute<{ highest: number | null }>(sql`SELECT max(number) AS highest FROM notes`);
    return { highest: row!.highest, from: db === primary ? ("primary" as const) : ("replica" as const) };
  });

async function untilUsed(replica: Replica): Promise<void> {
  await vi.waitUntil(async () => (await look(replica)).from === "replica", { timeout: 60_000, interval: 5 });
}

describe("replica.read", () => {
  it("uses the replica, and sees every earlier commit", async () => {
    const replica = follow();
    for (let number = 1; number <= 20; number += 1) {
      await note(number);
      expect(await look(replica)).toEqual({ highest: number, from: "replica" });
    }
    expect(logged).toEqual([]);
  });

  it("waits briefly for a replica that is slightly behind", async () => {
    const replica = follow();
    await servers.stall();
    await note(1);
    // It has asked for the position again, so it waits.
    const isWaiting = () => positionQueries > 1;
    const resume = () => vi.waitUntil(isWaiting, { timeout: 60_000, interval: 1 }).then(servers.resume);
    const [seen] = await Promise.all([look(replica), resume()]);
    expect(seen).toEqual({ highest: 1, from: "replica" });
  });

  it("uses the primary while the replica is behind; logs that once and counts each read", async () => {
    const replica = follow({}, { catchUpTimeoutMs: 2000 });
    await untilUsed(replica);
    [logged, reasons] = [[], []];
    await servers.stall();
    await note(1);
    for (let time = 0; time < 3; time += 1) {
      expect(await look(replica)).toEqual({ highest: 1, from: "primary" });
      await sleep(slowLimits.cooldownMs);
    }
    expect(reasons).toEqual(["lagging", "lagging", "lagging"]);
    await servers.resume();
    await untilUsed(replica);
    expect(logged).toEqual([
      "Lists are read from the primary for now",
      "Lists are read from the replica again",
    ]);
  });

  it("never goes back in time on one server, nor behind the primary, whichever process answers", async () => {
    const processes = [follow({}, { catchUpTimeoutMs: 30 }), follow({}, { catchUpTimeoutMs: 30 })];
    const sources = new Set<string>();
    let committed = 0;
    /** The highest note that any reader has seen from each server. */
    const shown = { primary: 0, replica: 0 };
    const over = new AbortController();
    const isOver = () => over.signal.aborted;
    const write = async () => {
      for (; !isOver(); committed += 1) await note(committed + 1);
    };
    const read = async (first: number) => {
      for (let round = first; !isOver(); round += 1) {
        const visible = Math.max(committed, shown.primary);
        // The replica may show a commit before the primary does, so the primary may be behind it.
        const least = { primary: visible, replica: Math.max(visible, shown.replica) };
        const { highest, from } = await look(processes[round % 2]!);
        expect(highest ?? 0, from).toBeGreaterThanOrEqual(least[from]);
        shown[from] = Math.max(shown[from], highest ?? 0);
        sources.add(from);
      }
    };
    const disturb = async () => {
      for (let round = 0; round < 6 || (round < 100 && sources.size < 2); round += 1) {
        await servers.stall();
        await sleep(round % 2 === 0 ? 5 : 50);
        await servers.resume();
        await sleep(15);
      }
      over.abort();
    };
    await Promise.all([write(), read(0), read(1), read(0), disturb()]);
    expect(sources.size).toBe(2);
  });

  it("may show a commit before it is acknowledged, while the primary does not", async () => {
    const [replica, unreachable] = [follow(), follow({ url: "postgres://127.0.0.1:1/none" })];
    let committed = 0;
    const over = new AbortController();
    const write = async () => {
      for (; !over.signal.aborted; committed += 1) await note(committed + 1);
    };
    // Stops a commit between the disk and its visibility, as a busy machine does for an instant.
    await servers.delayCommits();
    const writing = write();
    const seen = { primary: 0, replica: 0 };
    const compare = async () => {
      for (const one of [replica, unreachable]) {
        const { highest, from } = await look(one);
        seen[from] = highest ?? 0;
      }
      return seen.replica > seen.primary;
    };
    await vi.waitUntil(compare, { timeout: 60_000, interval: 5 });
    expect(seen.replica).toBe(seen.primary + 1);
    over.abort();
    await servers.finishCommits();
    await writing;
    expect(await look(unreachable)).toEqual({ highest: committed, from: "primary" });
    expect(await look(replica)).toEqual({ highest: committed, from: "replica" });
  });

  it("repeats on the primary if the replica aborts it", async () => {
    const replica = follow({ connections: 1 });
    const end = (pid: number) => servers.standby.execute(sql`SELECT pg_terminate_backend(${pid})`);
    const source = await replica.read(async (db) => {
      const [row] = await db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      if (db !== primary) await Promise.all([db.execute(sql`SELECT pg_sleep(60)`), end(row!.pid)]);
      return db;
    });
    expect(source === primary).toBe(true);
    expect(logged).toEqual(["Lists are read from the primary for now"]);
  });

  it("repeats on the primary if it conflicted with the replay", async () => {
    const replica = follow({}, { responseTimeoutMs: 60_000 });
    await servers.cancelConflictsAfter(0);
    await note(1);
    const remove = async () => {
      // A transaction that runs no statement at this moment would lose its connection instead.
      await vi.waitUntil(isSleeping, { timeout: 60_000, interval: 5 });
      await primary.execute(sql`DELETE FROM notes`);
      await primary.execute(sql`VACUUM notes`);
    };
    const isSleeping = async () => {
      const running = sql`state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep(60)%'`;
      const found = await servers.standby.execute(sql`SELECT FROM pg_stat_activity WHERE ${running}`);
      return found.length > 0;
    };
    const rows = await replica.read((db) =>
      db.transaction(
        async (transaction) => {
          const seen = await transaction.execute(sql`SELECT FROM notes`);
          if (db !== primary) await Promise.all([transaction.execute(sql`SELECT pg_sleep(60)`), remove()]);
          return seen;
        },
        { isolationLevel: "repeatable read" },
      ),
    );
    expect(rows).toHaveLength(0);
    expect(reasons).toEqual(["conflict"]);
    expect(logged).toEqual(["Lists are read from the primary for now"]);
  });

  it("fails as on the primary if the statement itself is wrong", async () => {
    const replica = follow();
    const sources: Database[] = [];
    const failing = replica.read((db) => {
      sources.push(db);
      return db.execute(sql`SELECT 1 / 0`);
    });
    await expect(failing).rejects.toThrow("SELECT 1 / 0");
    expect(sources).toHaveLength(1);
  });
});

describe("a replica", () => {
  it("is skipped while it is shut down, and used again when it is back", async () => {
    const replica = follow();
    await note(1);
    await look(replica);
    await servers.stopReplica();
    expect(await look(replica)).toEqual({ highest: 1, from: "primary" });
    expect(reasons).toEqual(["unreachable"]);
    await servers.restartReplica();
    await untilUsed(replica);
  });

  it("reports its position when it may be behind, and when another server may answer at its address", async () => {
    const replica = follow({ connections: 1 });
    await note(1);
    await untilUsed(replica);
    const queriesOfFiveReads = async () => {
      const before = positionQueries;
      for (let time = 0; time < 5; time += 1) await look(replica);
      return positionQueries - before;
    };
    // The write-ahead log sometimes grows without a write of ours.
    await expect.poll(queriesOfFiveReads).toBeLessThan(5);
    const known = positionQueries;
    await servers.standby.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'followed'`,
    );
    await vi.waitFor(async () => {
      await look(replica);
      expect(positionQueries).toBeGreaterThan(known);
    }, 60_000);
  });

  it("is skipped if it vanishes without closing its connections, and found again", async () => {
    const proxy = await startTcpProxy(servers.replicaUrl);
    opened.push(proxy);
    const replica = follow({ url: proxy.url, connections: 1 }, { responseTimeoutMs: 200 });
    await note(1);
    await untilUsed(replica);
    proxy.cut();
    expect(await look(replica)).toEqual({ highest: 1, from: "primary" });
    await untilUsed(replica);
  });

  it("never serves a list if it has replayed what the primary lost in a failover", async () => {
    await note(1);
    await untilUsed(follow());
    const proxy = await startTcpProxy(servers.primaryUrl);
    const forkUrl = await servers.startFork();
    // The standby that becomes the primary has not received this, but the replica has.
    await primary.execute(sql`INSERT INTO notes SELECT 2 FROM generate_series(1, 10000)`);
    const failingOver = connect(proxy.url, { max: 2 });
    opened.push(failingOver, proxy);
    const replica = follow({ from: failingOver });
    const read = () =>
      replica.read(async (db) => {
        const [row] = await db.execute<{ highest: number }>(sql`SELECT max(number) AS highest FROM notes`);
        return { highest: row!.highest, isFromPrimary: db === failingOver };
      });
    await vi.waitUntil(async () => !(await read()).isFromPrimary, { timeout: 60_000, interval: 5 });
    proxy.refuse();
    proxy.leadTo(forkUrl);
    proxy.restore();
    await failingOver.execute(sql`SELECT 1`).catch(() => undefined);
    await failingOver.execute(sql`INSERT INTO notes VALUES (3)`);
    expect(await read()).toEqual({ highest: 3, isFromPrimary: true });
    expect(reasons.at(-1)).toBe("unusable");
  });

  it("is used once the primary's address leads to its primary, in a process that has seen another server there", async () => {
    const database = await createTestDatabase();
    const elsewhere = connect(database.url, { max: 1 });
    const moving = sql.raw("CREATE ROLE moving SUPERUSER LOGIN PASSWORD 'moving'");
    await Promise.all([primary, elsewhere].map((server) => server.execute(moving)));
    const proxy = await startTcpProxy(servers.primaryUrl);
    proxy.leadTo(database.url);
    const { port } = new URL(proxy.url);
    const moved = connect(`postgres://moving:moving@127.0.0.1:${port}/postgres`, { max: 1 });
    opened.push(moved, proxy);
    const replica = follow({ from: moved });
    const isUsed = () => replica.read(async (db) => db !== moved).catch(() => false);
    expect(await isUsed()).toBe(false);
    expect(reasons).toEqual(["unusable"]);
    proxy.refuse();
    proxy.leadTo(servers.primaryUrl);
    proxy.restore();
    await expect.poll(isUsed, { timeout: 60_000 }).toBe(true);
    await Promise.all([primary, elsewhere].map((server) => server.execute(sql`DROP ROLE moving`)));
    await elsewhere.close();
    await database.drop();
  });

  it("never serves a list if its server is no replica, or has another database", async () => {
    expect((await look(follow({ url: servers.primaryUrl }))).from).toBe("primary");
    const database = await createTestDatabase();
    const elsewhere = connect(database.url, { max: 1 });
    opened.push({ close: () => elsewhere.close().then(() => database.drop()) });
    const other = follow({ from: elsewhere });
    expect(await other.read(async (db) => db === elsewhere)).toBe(true);
    expect(reasons).toEqual(["unusable", "unusable"]);
  });
});
