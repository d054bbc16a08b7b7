import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Db, PgBoss, fromDrizzle } from "pg-boss";

/** pg-boss on connections of ours, for what takes part in a transaction; it does nothing by itself. */
export function jobRunner(db: Executor): PgBoss {
  return new PgBoss({ db: runnerDb(db), migrate: false, supervise: false, schedule: false });
}

/** How pg-boss runs its statements on a connection or in a transaction of ours. */
export function runnerDb(db: Executor): Db {
  const adapter = fromDrizzle(db, sql);
  return {
    // pg-boss leaves it to its own driver to write objects as JSON. Drizzle has switched that off in ours.
    executeSql: (text, values) => adapter.executeSql(text, values?.map(asParameter)),
  };
}

function asParameter(value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? JSON.stringify(value) : value;
}
