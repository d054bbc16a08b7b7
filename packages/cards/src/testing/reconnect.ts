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
