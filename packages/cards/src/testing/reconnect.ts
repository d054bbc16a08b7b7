import type { Database } from "@purser/db";
import { sql } from "drizzle-orm";

/** Waits until a pool has noticed that each of its connections was cut. */
export async function untilReconnected(db: Database): Promise<void> {
  for (;;) {
    const pings = Array.from({ length: 20 }, () => db.execute(sql`SELECT pg_sleep(0.002)`));
    const outcomes = await Promise.allSettled(pings.map(async (ping) => ping));
    if (outcomes.every(({ status }) => status === "fulfilled")) return;
  }
}

/** Returns the error of an operation; null if it succeeded. */
export const errorOf = (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => null,
    (error: unknown) => error,
  );

/** Ends all other connections to the database. */
export const cutConnections = (db: Database) =>
  errorOf(() =>
    db.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`),
  );
