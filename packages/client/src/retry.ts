import { PurserError } from "./error.ts";
import { aborted } from "./failures.ts";

/** Milliseconds before the first retry; every further one waits twice as long. */
const firstWait = 250;
/** A server that asks for more patience than this many seconds gets none: the caller hears of it instead. */
const longestRetryAfter = 30;

/**
 * Makes an attempt, and repeats it while it fails in a way that passes by itself. A mutation must carry the same
 * idempotency key each time, for nobody can tell whether the first attempt had its effect.
 */
export async function withRetries<Output>(
  attempt: () => Promise<Output>,
  { retries = 4, signal }: { retries?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Output> {
  for (let repeated = 0; ; repeated += 1) {
    if (signal?.aborted) throw aborted(signal);
    try {
      return await attempt();
    } catch (error) {
      if (repeated >= retries || !passesByItself(error)) throw error;
      // Many clients lose their server in the same moment; chance keeps them from coming back in the same one.
      const backoff = firstWait * 2 ** repeated * (0.5 + Math.random() / 2);
      await pause(backoff + (error.retryAfterSeconds ?? 0) * 1000, signal);
    }
  }
}

function passesByItself(error: unknown): error is PurserError {
  if (!(error instanceof PurserError)) return false;
  const { code, status, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > longestRetryAfter) return false;
  if (code === "NETWORK_FAILURE" || code === "IDEMPOTENCY_IN_PROGRESS") return true;
  return status === 429 ? retryAfterSeconds !== undefined : status >= 502 && status <= 504;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      if (signal) reject(aborted(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
