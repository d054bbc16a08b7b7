import { setTimeout as sleep } from "node:timers/promises";
import { createEmptyTestDatabase, startTcpProxy } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database, Executor } from "./connection/database.ts";
import { isUnavailable } from "./connection/failure.ts";
import {
  appliedMigration,
  applyMigration,
  listMigrations,
  migrate,
  migrationLockTimeoutMs,
} from "./migrate.ts";
import { migratingAlone, whileResponding } from "./migration-lock.ts";
import { decisionLockTimeoutMs } from "./pools.ts";

/** Runs `work` as a process that migrates. */
const alone = <Result>(url: string, work: (db: Database) => Promise<Result>) =>
  whileResponding(url, (responsive) => migratingAlone(responsive, work));

interface Warning {
  fields: object;
  message: string;
}

/** A logger that keeps its warnings. */
function warnings() {
  const logged: Warning[] = [];
  const logger = { warn: (fields: object, message: string) => void logged.push({ fields, message }) };
  return { logged, logger };
}

describe("migrate", () => {
  let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
  let db: Database;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
    // Like a decision, it does not wait for as long as the holder of the lock.
    const limits = { lockTimeoutMs: 5000, statementTimeoutMs: 5000, idleInTransactionTimeoutMs: 0 };
    db = connect(database.url, { max: 2, ...limits });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it("lets others use a table that it waits for, says so, and keeps what was before", async () => {
    expect(migrationLockTimeoutMs).toBeLessThan(decisionLockTimeoutMs);
    // The next but one alters the cards.
    const first = listMigrations().findIndex(({ tag }) => tag === "0026_transaction_search");
    await migrate(database.url, { upTo: listMigrations()[first] });
    const read = () => db.execute(sql`SELECT count(*) FROM cards`);
    const { logged, logger } = warnings();
    let migrating: Promise<number>;
    await db.transaction(async (holder) => {
      await holder.execute(sql`SELECT FROM cards`);
      migrating = migrate(database.url, { logger });
      migrating.catch(() => undefined);
      for (; logged.length === 0; await sleep(20)) await read();
      expect(await appliedMigration(db)).toBe(listMigrations()[first + 1]!.when);
    });
    expect(await migrating!).toBe(listMigrations().length - first - 1);
    expect(logged[0]!.message).toBe(
      "A migration waits for a transaction that uses the same table. It is tried again",
    );
    expect(logged[0]!.fields).toEqual({ statement: expect.stringContaining('ALTER TABLE "cards"') });
  });

  it("builds an index CONCURRENTLY while others write, however long one of them takes", async () => {
    await migrate(database.url);
    const migration = {
      sql: [
        `DROP INDEX CONCURRENTLY IF EXISTS "cards_of_test"`,
        `CREATE INDEX CONCURRENTLY "cards_of_test" ON "cards" ("organization_id")`,
      ],
      bps: true,
      hash: "",
      folderMillis: listMigrations().at(-1)!.when + 1,
    };
    const write = (executor: Executor) => executor.execute(sql`UPDATE cards SET status = status`);
    let applying: Promise<void>;
    let other: Promise<string>;
    await db.transaction(async (writer) => {
      await write(writer);
      applying = alone(database.url, (migrating) => applyMigration(migrating, migration));
      applying.catch(() => undefined);
      // Longer than a migration waits for a lock that others queue behind.
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '600 milliseconds'`;
      const isWaiting = async () => (await db.execute(waiting)).length > 0;
      await Promise.race([applying, vi.waitUntil(isWaiting, { timeout: 60_000 })]);
      await write(db);
      // The build does not wait for another process that waits for it.
      other = alone(database.url, async () => "next");
      other.catch(() => undefined);
      const times = new Set<string>();
      const hasAskedAgain = async () => {
        const asked = await db.execute<{
          at: string;
        }>(sql`SELECT query_start::text AS at FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'`);
        for (const { at } of asked) times.add(at);
        return times.size > 1;
      };
      await Promise.race([other, vi.waitUntil(hasAskedAgain, { timeout: 60_000, interval: 20 })]);
    });
    await applying!;
    expect(await other!).toBe("next");
    const [index] = await db.execute(
      sql`SELECT indisvalid FROM pg_index WHERE indexrelid = 'cards_of_test'::regclass`,
    );
    expect(index).toEqual({ indisvalid: true });
    expect(await appliedMigration(db)).toBe(migration.folderMillis);
  });
});

describe("migrate beside another process that migrates", () => {
  let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
  });
  afterAll(() => database.drop());
  const [first, second] = listMigrations();

  it("waits for it, says who it is, and lets the database notice that its machine has died", async () => {
    const { logged, logger } = warnings();
    // A Unix socket has no keep-alive.
    const overTcp = await startTcpProxy(database.url);
    onTestFinished(() => overTcp.close());
    let pid: unknown;
    let waiting: Promise<number>;
    await alone(overTcp.url, async (db) => {
      const [session] = await db.execute(
        sql`SELECT pg_backend_pid() AS pid, current_setting('tcp_keepalives_idle') AS idle`,
      );
      expect(session).toMatchObject({ idle: "10" });
      ({ pid } = session!);
      waiting = migrate(database.url, { upTo: first, logger });
      waiting.catch(() => undefined);
      for (; logged.length === 0; await sleep(20)) expect(await appliedMigration(db)).toBeNull();
    });
    expect(logged[0]!.fields).toMatchObject({ pid, since: expect.any(String) });
    expect(logged[0]!.message).toMatch(/^Another process migrates the database, and this one waits for it\./);
    expect(await waiting!).toBe(1);
  });

  it("does not wait if there is nothing to migrate", async () => {
    await migrate(database.url, { upTo: second });
    const ran: string[] = [];
    await alone(database.url, async () => {
      const andThen = async () => void ran.push("then");
      expect(await migrate(database.url, { upTo: second, andThen })).toBe(0);
    });
    expect(ran).toEqual(["then"]);
  });

  it("throws if the network falls silent meanwhile", async () => {
    const proxy = await startTcpProxy(database.url);
    onTestFinished(() => proxy.close());
    await alone(database.url, async () => {
      const { logged, logger } = warnings();
      const waiting = migrate(proxy.url, { logger }).catch((error: unknown) => error);
      await vi.waitUntil(() => logged.length > 0, { timeout: 60_000 });
      proxy.silence();
      expect(isUnavailable(await waiting)).toBe(true);
      // What was sent is given up too, so nothing keeps the process.
      await expect.poll(() => proxy.connections).toBe(0);
    });
  });
});
