import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "./context.ts";
import { toProblem } from "./problems.ts";

const pauseMs = 250;

/**
 * Runs work that must not be lost, such as the release of a lease, again while the database is unavailable: until it
 * succeeds, the time is over, or the process stops. Then it throws the last error. `work` must be idempotent, because
 * it is unknown whether an attempt without an answer took effect.
 *
 * @example
 * await retryWhileUnavailable(platform, () => releaseLease(platform.db, lease), { timeoutMs: leaseMs });
 */
export async function retryWhileUnavailable<Result>(
  { shutdownSignal: signal }: Pick<Platform, "shutdownSignal">,
  work: () => Promise<Result>,
  { timeoutMs = Infinity } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal.aborted || performance.now() >= deadline;
      if (isOver || toProblem(error).code !== "UNAVAILABLE") throw error;
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}
