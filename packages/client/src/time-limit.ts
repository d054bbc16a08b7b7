import { abortedError, again, timeoutError } from "./failures.ts";
import type { PurserError } from "./error.ts";

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
  const release = followSignals(signals, controller);
  const timer =
    timeoutMs > longestTimerMs
      ? undefined
      : setTimeout(() => controller.abort(timeoutError(timeoutMs)), timeoutMs);
  try {
    signal.throwIfAborted();
    // Listens before the call begins, which may abort the signal itself.
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(endOf(signal)), { once: true });
    });
    return await Promise.race([run(signal, performance.now() + timeoutMs), ended]);
  } catch (error) {
    throw signal.aborted ? endOf(signal) : error;
  } finally {
    clearTimeout(timer);
    release();
  }
}

/**
 * Aborts the controller with `ABORTED` as soon as one of these signals is aborted. Returns what ends that: a signal may
 * outlive many calls.
 */
export function followSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const followed = signals.map((one) => {
    const abort = () => controller.abort(abortedError(one!));
    if (one?.aborted) abort();
    one?.addEventListener("abort", abort, { once: true });
    return () => one?.removeEventListener("abort", abort);
  });
  return () => followed.forEach((end) => end());
}

/** The error with which a call ends whose signal is aborted. Only this module aborts it, always with an error of ours. */
export const endOf = (signal: AbortSignal): PurserError => again(signal.reason) as PurserError;
