// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises";
import { createEmptyTestDatabase, isNightly } from "@purser/testing";
import { sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connect.ts";
import type { Database } from "./database.ts";
import { isUnavailable } from "./failure.ts";

const seconds = isNightly ? 60 : 1;
const [writers, readers, connections] = [24, 4, 8];
const [killsPerSecond, commitsPerSecond] = [5, 20];
const killedShare = 0.6;
const parts = 3;
const applicationName = "driver-load";

/** Which database transaction wrote each part of one of ours. The server fills in the first. */
const rows = pgTable("load_rows", {
  writtenIn: text("written_in")
    .notNull()
    .default(sql`pg_current_xact_id()::text`),
  transaction: text().notNull(),
  part: integer().notNull(),
});

let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
let admin: Database;
const uncaught: unknown[] = [];
const record = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  admin = connect(database.url, { max: 1 });
  await admin.execute(sql`
    create table load_rows (written_in text not null default pg_current_xact_id()::text, transaction text not null,
      part integer not null)`);
  process.on("uncaughtException", record).on("unhandledRejection", record);
});

afterAll(async () => {
  process.off("uncaughtException", record).off("unhandledRejection", record);
  await admin.close();
  await database.drop();
});

/** The results that the clients received. */
interface Log {
  readonly acknowledged: string[];
  readonly unexpected: unknown[];
  running: boolean;
  failed: number;
}

async function write(pool: Database, log: Log, writer: number): Promise<void> {
  for (let round = 0; log.running; round++) {
    const transaction = `${writer}/${round}`;
    try {
      await pool.transaction(async (tx) => {
        for (let part = 0; part < parts; part++) {
          await tx.insert(rows).values({ transaction, part });
          // Often longer than it takes to replace a killed connection, so the callback outlives its own connection.
          await sleep(Math.random() * 8);
        }
      });
      log.acknowledged.push(transaction);
    } catch (error) {
      fail(log, error);
    }
  }
}

async function read(pool: Database, log: Log): Promise<void> {
  while (log.running) {
    await Promise.all([
      pool
        .select()
        .from(rows)
        .where(sql`${rows.transaction} = ${"0/0"}`),
      sleep(Math.random() * 4),
    ]).catch((error: unknown) => fail(log, error));
  }
}

function fail(log: Log, error: unknown): void {
  log.failed++;
  if (!isUnavailable(error)) log.unexpected.push(error);
}

async function kill(share: number): Promise<number> {
  const killed = await admin.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}
        and random() < ${share}::float8`,
  );
  return killed.length;
}

/** Milliseconds from the end of all connections until each worker has committed a transaction. */
async function recovery(pool: Database): Promise<number> {
  const start = performance.now();
  await kill(1);
  const attempt = async (): Promise<void> => {
    await pool.transaction((tx) => tx.execute(sql`select 1`)).catch(attempt);
  };
  await Promise.all(Array.from({ length: connections }, attempt));
  return performance.now() - start;
}

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const [row] = await admin.execute(sql`select count(*)::int as n from (${query}) as found`);
  return Number(row?.["n"]);
}

describe("the driver, while backends are killed under load", () => {
  it(
    "neither exits nor hangs, keeps transactions apart, loses no acknowledged commit and recovers",
    { timeout: (seconds + 180) * 1000 },
    async ({ annotate }) => {
      const pool = connect(database.url, { max: connections, applicationName });
      const log: Log = { acknowledged: [], unexpected: [], running: true, failed: 0 };
      const clients = [
        ...Array.from({ length: writers }, (_, writer) => write(pool, log, writer)),
        ...Array.from({ length: readers }, () => read(pool, log)),
      ];
      let killed = 0;
      const isEnough = () =>
        killed > seconds * killsPerSecond && log.acknowledged.length > seconds * commitsPerSecond;
      // On a busy machine, few transactions end between two kills.
      const deadline = performance.now() + (seconds + 60) * 1000;
      for (let n = 0; n < seconds * killsPerSecond || !(isEnough() || performance.now() > deadline); n++) {
        await sleep(1000 / killsPerSecond);
        killed += await kill(killedShare);
      }
      const recoveredAfterMs = await recovery(pool);
      log.running = false;
      const settled = Promise.all(clients).then(() => "settled");
      expect(await Promise.race([settled, sleep(20_000, "hung", { ref: false })])).toBe("settled");
      await pool.close();

      const found = {
        uncaught,
        unexpected: log.unexpected,
        partial: await count(
          sql`select 1 from ${rows} group by transaction having count(*) <> ${parts}::int`,
        ),
        split: await count(
          sql`select 1 from ${rows} group by transaction having count(distinct written_in) > 1`,
        ),
        crossed: await count(
          sql`select 1 from ${rows} group by written_in having count(distinct transaction) > 1`,
        ),
        lost: await count(sql`select unnest(${sql.param(log.acknowledged)}::text[])
          except select transaction from ${rows}`),
      };
      const figures = { acknowledged: log.acknowledged.length, failed: log.failed, killed, recoveredAfterMs };
      await annotate(JSON.stringify(figures));
      expect(found).toEqual({ uncaught: [], unexpected: [], partial: 0, split: 0, crossed: 0, lost: 0 });
      expect(recoveredAfterMs).toBeLessThan(isNightly ? 2000 : 10_000);
      expect(killed).toBeGreaterThan(seconds * killsPerSecond);
      expect(log.acknowledged.length).toBeGreaterThan(seconds * commitsPerSecond);
    },
  );
});
