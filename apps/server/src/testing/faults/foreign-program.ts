import { setTimeout as sleep } from "node:timers/promises";
import { type Database, connect, isUnavailable, sqlState } from "@purser/db";

/** Opens connections until PostgreSQL has none left, and goes on to take those that become free. */
export function holdAllConnections(url: string): () => Promise<void> {
  const held: Database[] = [];
  const over = new AbortController();
  const taking = (async () => {
    while (!over.signal.aborted) {
      const db = connect(url, { max: 1, applicationName: "faults" });
      const isTaken = await db.$client`SELECT 1`.then(
        () => true,
        (error: unknown) => {
          if (!isUnavailable(error)) throw error;
          return false;
        },
      );
      if (isTaken) held.push(db);
      else {
        await db.close(0);
        await sleep(20);
      }
    }
  })();
  return async () => {
    over.abort();
    await taking;
    await Promise.all(held.map((db) => db.close()));
  };
}

/** Locks tables against all others, as a careless migration does. Returns the function that releases them. */
export async function holdLock(url: string, tables: string): Promise<() => Promise<unknown>> {
  const limits = { lockTimeoutMs: 10_000, statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 0 };
  const db = connect(url, { max: 1, applicationName: "faults", ...limits });
  for (;;) {
    const isLocked = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const locking = db.$client.begin(async (sql) => {
      await sql.unsafe(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
      isLocked.resolve();
      await isOver.promise;
    });
    locking.catch(isLocked.reject);
    try {
      await isLocked.promise;
      return async () => {
        isOver.resolve();
        await locking;
        await db.close();
      };
    } catch (error) {
      // A deadlock, or a lock that was not free in time.
      if (!["40P01", "55P03"].includes(sqlState(error) ?? "")) throw error;
    }
  }
}
