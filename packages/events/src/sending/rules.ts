import { addMs } from "@purser/core";
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The wait after each failed attempt. The last attempt has none. */
const retryWaitsMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const maxAttempts = retryWaitsMs.length + 1;

/** By how much of itself a wait is longer or shorter. */
const spread = 0.1;

/** How long a delivery may be tried, from its first attempt to its last. */
export const longestScheduleMs = (1 + spread) * retryWaitsMs.reduce((sum, wait) => sum + wait);

/** A receiver that names no wait, or a very short one, is not called again at once. */
const shortestWaitMs = second;

interface FailedAttempt {
  at: Date;
  /** The attempts so far, this one included. */
  attemptCount: number;
  /** The wait that the receiver asks for in `Retry-After`. */
  retryAfterSeconds?: number;
  /** From 0 to 1. Deliveries that failed together are not all repeated together. */
  random: number;
}

/** Returns when a delivery is tried again after a failure; null after the last attempt. */
export function nextAttemptAfter({
  at,
  attemptCount,
  retryAfterSeconds,
  random,
}: FailedAttempt): Date | null {
  const step = retryWaitsMs[attemptCount - 1];
  if (step === undefined) return null;
  const wait =
    retryAfterSeconds === undefined
      ? step * (1 - spread + 2 * spread * random)
      : Math.min(Math.max(retryAfterSeconds * second, shortestWaitMs), step);
  return addMs(at, Math.round(wait));
}

const longestPauseMs = minute;

/**
 * Returns when a delivery is retried whose event this process cannot read: after as long as it has waited, at least the first
 * wait and at most a minute. Events that no version can read then cost little, until they are deleted.
 */
export function retryUnreadableAt(createdAt: Date, at: Date): Date {
  const waitedMs = at.getTime() - createdAt.getTime();
  return addMs(at, Math.min(Math.max(waitedMs, retryWaitsMs[0]!), longestPauseMs));
}

/** The wait of a delivery by its attempts so far. None is due at once. */
export const usualWaitsMs: readonly number[] = [0, ...retryWaitsMs];

/** The longest wait of a delivery by its attempts so far. A longer one began before the clock stepped back. */
export const longestWaitsMs: readonly number[] = usualWaitsMs.map(
  // As much again as a wait may differ, because the clocks of the servers of a cluster differ.
  (wait) => Math.max(wait, longestPauseMs) * (1 + 2 * spread),
);

/** How long every attempt at an endpoint must fail before it is disabled. */
const disabledAfterMs = 5 * day;

/** Whether an endpoint is to be disabled: everything has failed since this time. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= disabledAfterMs;
}

/** Whether an HTTP status means that the receiver took the event. A redirect does not: it is never followed. */
export const isSuccess = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** The status by which a receiver says that it wants no more events. */
export const isGone = (statusCode: number | null): boolean => statusCode === 410;
