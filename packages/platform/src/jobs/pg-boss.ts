import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Db, PgBoss, type QueueResult, fromDrizzle } from "pg-boss";

/** Opens pg-boss on one of our pools or transactions. It runs no maintenance and no schedule. */
export function jobRunner(db: Executor): PgBoss {
  return openRunner(runnerDb(db));
}

const openRunner = (db: Db) => new PgBoss({ db, migrate: false, supervise: false, schedule: false });

/**
 * Opens pg-boss with all of these queues looked up, in one statement. Otherwise it looks up each before its first job, on
 * a connection of its own. Throws if a queue does not exist.
 */
export async function preparedJobRunner(db: Executor, names: readonly string[]): Promise<PgBoss> {
  const database = runnerDb(db);
  let known: QueueResult[] | undefined;
  const runner = openRunner({
    executeSql: async (text, values) =>
      known
        ? { rows: known.filter(({ name }) => isFirstOf(values, name)) }
        : database.executeSql(text, values),
  });
  known = await runner.getQueues([...names]);
  // There is no such job, so this only looks the queue up, which pg-boss then keeps.
  for (const name of names) await runner.findJobs(name, { id: noJob, db: emptyDb });
  known = undefined;
  return runner;
}

/** Whether these are the values of pg-boss's look-up of one queue: a list with its name. */
const isFirstOf = ([names]: unknown[] = [], name: string) => Array.isArray(names) && names[0] === name;

const noJob = "00000000-0000-0000-0000-000000000000";
const emptyDb: Db = { executeSql: async () => ({ rows: [] }) };

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
