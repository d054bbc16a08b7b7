import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Db, PgBoss, fromDrizzle } from "pg-boss";

/** Opens pg-boss on one of our pools or transactions. It runs no maintenance and no schedule. */
export function jobRunner(db: Executor): PgBoss {
  return new PgBoss({ db: runnerDb(db), migrate: false, supervise: false, schedule: false });
}

/** Runs pg-boss's statements on one of our pools or transactions. */
export function runnerDb(db: Executor): Db {
  const adapter = fromDrizzle(db, sql);
  return {
    // pg-boss relies on its own driver to serialize objects as JSON. Drizzle disables that in ours.
    executeSql: (text, values) => adapter.executeSql(text, values?.map(asParameter)),
  };
}

function asParameter(value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? JSON.stringify(value) : value;
}

/**
 * Returns the database address for pg-boss's own driver. There, `sslmode=require` would also verify the certificate
 * authority, which neither libpq nor our driver does.
 */
export function runnerUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has("sslmode")) parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}
