import { PurserError } from "./error.ts";

/** The delay before the first retry. It doubles with each further one. */
const firstDelayMs = 250;
/** If the server asks for a longer delay, the caller gets the error at once. */
const maxRetryAfterSeconds = 30;

/**
 * Runs an attempt and repeats it after transient errors until the signal is aborted. A mutation must carry the same
 * idempotency key each time, because the first attempt may have taken effect. A refusal that asks to wait beyond the
 * deadline, by `performance.now()`, is the answer at once: it says more than a timeout.
 */
export async function withRetries<Output>(
  attempt: () => Promise<Output>,
  { retries, signal, deadline }: { retries: number; signal: AbortSignal; deadline: number },
): Promise<Output> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retry >= retries || signal.aborted || !isTransient(error)) throw error;
      const { retryAfterSeconds = 0 } = error;
      // Jitter, because many clients lose their server at the same moment.
      const backoff = firstDelayMs * 2 ** retry * (0.5 + Math.random() / 2);
      const delayMs = backoff + retryAfterSeconds * 1000;
      const isLate = retryAfterSeconds > 0 && performance.now() + delayMs >= deadline;
      if (isLate || retryAfterSeconds > maxRetryAfterSeconds) throw error;
      await pause(delayMs, signal);
    }
  }
}

/** Whether the server may accept the same request after what it asks to wait. */
export function isTransient(error: unknown): error is PurserError {
  if (!(error instanceof PurserError)) return false;
  const { status, retryable, retryAfterSeconds } = error;
  return retryable && (status !== 429 || retryAfterSeconds !== undefined);
}

/** Never resolves once the signal is aborted, and leaves no timer then. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
