import { abortedError, timeoutError } from "./failures.ts";

/** A longer timer of JavaScript would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a call until it settles, a signal is aborted, or its time is over. In the last two cases it rejects at once, with
 * `ABORTED` or `TIMEOUT`, and aborts the signal that `run` got. The deadline is by `performance.now()`.
 */
export async function withTimeLimit<Output>(
  timeoutMs: number,
  signals: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal, deadline: number) => Promise<Output>,
): Promise<Output> {
  const controller = new AbortController();
  const { signal } = controller;
  const followed = signals.flatMap((one) => {
    const abort = () => controller.abort(one?.reason);
    if (one?.aborted) abort();
    one?.addEventListener("abort", abort, { once: true });
    return one ? [{ one, abort }] : [];
  });
  const end = () => controller.abort(timeoutError(timeoutMs));
  const timer = timeoutMs > longestTimerMs ? undefined : setTimeout(end, timeoutMs);
  try {
    signal.throwIfAborted();
    return await Promise.race([run(signal, performance.now() + timeoutMs), rejectWhenAborted(signal)]);
  } catch (error) {
    throw signal.aborted ? abortedError(signal) : error;
  } finally {
    clearTimeout(timer);
    // A signal may outlive many calls.
    for (const { one, abort } of followed) one.removeEventListener("abort", abort);
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(abortedError(signal)), { once: true });
  });
}
