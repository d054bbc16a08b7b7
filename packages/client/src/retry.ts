import { PurserError } from "./error.ts";

/** The delay before the first retry. It doubles with each further one. */
const firstDelayMs = 250;
/** The delay before asking again whether the first attempt of a mutation has ended. */
const runningDelayMs = 1000;
/** If the server asks for a longer delay, the caller gets the error at once. */
const maxRetryAfterSeconds = 30;

/** Calls that fail within this time become due together, so the retry of a batch of queries is again one request. */
const togetherMs = 20;
/** The time at which the first of them failed, and the jitter of all. */
let failedAtMs = 0;
let jitter = 1;

/**
 * Runs an attempt and repeats it after transient errors until the signal is aborted. It gets the number of attempts that
 * have failed. A mutation must carry the same idempotency key each time, because the first attempt may have taken effect. A
 * refusal that would have to wait beyond the deadline, by `performance.now()`, is the answer at once: it says more than a
 * timeout.
 */
export async function withRetries<Output>(
  attempt: (failures: number) => Promise<Output>,
  { retries, signal, deadline }: { retries: number; signal: AbortSignal; deadline: number },
): Promise<Output> {
  let failures = 0;
  for (;;) {
    try {
      return await attempt(failures);
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      const { code, retryAfterSeconds = 0 } = error;
      // The first attempt waits for a provider. That is no failure of this one, and only the deadline ends it.
      const isRunning = retries > 0 && code === "IDEMPOTENCY_IN_PROGRESS";
      if (!isRunning) failures += 1;
      if (failures > retries) throw error;
      const delayMs = isRunning ? runningDelayMs : firstDelayMs * 2 ** (failures - 1);
      const nowMs = performance.now();
      // By the distance, because the fake timers of a test move the clock back when they end.
      if (Math.abs(nowMs - failedAtMs) > togetherMs) {
        failedAtMs = nowMs;
        // Many clients lose their server at the same moment.
        jitter = 0.5 + Math.random() / 2;
      }
      const dueMs = failedAtMs + retryAfterSeconds * 1000 + delayMs * jitter;
      const isLate = (isRunning || retryAfterSeconds > 0) && dueMs >= deadline;
      if (isLate || retryAfterSeconds > maxRetryAfterSeconds) throw error;
      await waitForRetry(dueMs - nowMs, signal);
      signal.throwIfAborted();
    }
  }
}

/** Whether the server may accept the same request after what it asks to wait. */
export function isTransient(error: unknown): error is PurserError {
  if (!(error instanceof PurserError)) return false;
  const { status, retryable, retryAfterSeconds } = error;
  return retryable && (status !== 429 || retryAfterSeconds !== undefined);
}

/** Ends early when the signal is aborted. */
export function waitForRetry(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, signal.aborted ? 0 : milliseconds);
    signal.addEventListener("abort", done);
  });
}
