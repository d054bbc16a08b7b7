import { setTimeout as sleep } from "node:timers/promises";
import { hasMoved, sqlState } from "@purser/db";

/** Serialization failure and deadlock: the transaction had no effect and may run again. */
const retryableSqlStates = new Set(["40001", "40P01"]);
const maxAttempts = 4;

/** Runs a transaction, and runs it again after a serialization failure, a deadlock, or a move of its shard. */
export async function retryTransaction<Output>(run: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isRetryable = retryableSqlStates.has(sqlState(error) ?? "") || hasMoved(error);
      if (attempt === maxAttempts || !isRetryable) throw error;
      // A random pause keeps the same transactions from colliding again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}
