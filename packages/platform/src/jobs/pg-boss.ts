import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Db, PgBoss, fromDrizzle } from "pg-boss";

/** pg-boss on connections of ours, to take part in a transaction. It does nothing by itself. */
export function jobRunner(db: Executor): PgBoss {
  return new PgBoss({ db: runnerDb(db), migrate: false, supervise: false, schedule: false });
}

/** How pg-boss runs its statements on a connection or in a transaction of ours. */
export function runnerDb(db: Executor): Db {
  const adapter = fromDrizzle(db, sql);
  return {
    // pg-boss relies on its own driver to write objects as JSON. Drizzle has switched that off in ours.
    executeSql: (text, values) => adapter.executeSql(text, values?.map(asParameter)),
  };
}

function asParameter(value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? JSON.stringify(value) : value;
}

/**
 * The database address for pg-boss's own driver: there, `sslmode=require` would also demand a certificate of a known
 * authority, which neither libpq nor our driver does.
 */
export function runnerUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has("sslmode")) parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}
