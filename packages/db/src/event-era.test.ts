import { countWaitingForLocks, createTestDatabase } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { serverEras } from "./event-era.ts";
import { DatabaseMonitor } from "./monitor.ts";
import { eventEras } from "./schema/index.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  // A busy machine may look late at what waits for a lock.
  db = connect(database.url, { max: 3, lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 });
  await db.insert(eventEras).values({ era: 1, systemIdentifier: "the server of the backup" });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** The first of the eras that start now. */
async function eraOfNow(): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`SELECT date_part('epoch', now()) AS seconds`);
  return Math.floor((row!.seconds - Date.UTC(2026, 0, 1) / 1000) / 600) * 1024;
}

describe("the era of a server", () => {
  it("tells when it began, so that two servers of one backup have different ones", async () => {
    const earliest = await eraOfNow();
    const { first } = await serverEras(db);
    expect(first).toBeGreaterThanOrEqual(earliest);
    expect(first).toBeLessThanOrEqual(await eraOfNow());
  });

  it("is above the newest one, though the clock has stepped back", async () => {
    const newest = (await eraOfNow()) + 100 * 1024;
    await db.insert(eventEras).values({ era: newest + 3, systemIdentifier: "a server of a later time" });
    expect(await serverEras(db)).toMatchObject({ first: newest + 1024 });
  });

  it("is the one that another process has started at the same time", async () => {
    const [started, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const era = (await eraOfNow()) + 7 * 1024;
    const starting = db.transaction(async (transaction) => {
      await transaction.execute(sql`INSERT INTO ${eventEras} (era, system_identifier)
        SELECT ${era}::int, system_identifier::text FROM pg_control_system()`);
      started.resolve();
      await kept.promise;
    });
    await started.promise;
    let hasEnded = false;
    const found = serverEras(db).finally(() => (hasEnded = true));
    await expect
      .poll(async () => hasEnded || (await countWaitingForLocks(db)) === 1, { timeout: 60_000 })
      .toBe(true);
    kept.resolve();
    await starting;
    expect(await found).toMatchObject({ first: era });
    expect(await db.$count(eventEras)).toBe(2);
  });

  it("is looked up again after a connection has ended, without another connection of the pool", async () => {
    const monitor = new DatabaseMonitor(connect(database.url, { max: 1 }));
    const pool = connect(database.url, { max: 1, onClose: () => monitor.forgetServer(pool) });
    const { first } = await serverEras(pool);
    // As after an upgrade of PostgreSQL, which gives it another identifier and starts at the first timeline again.
    await db.update(eventEras).set({ systemIdentifier: "the server before its upgrade" });
    expect(await serverEras(pool)).toMatchObject({ first });
    await pool.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`).catch(() => undefined);
    const firstInTransaction = () => pool.transaction(async () => (await serverEras(pool)).first);
    await expect.poll(firstInTransaction, { timeout: 60_000 }).toBeGreaterThan(first);
    await monitor.close();
    await pool.close();
  });
});
