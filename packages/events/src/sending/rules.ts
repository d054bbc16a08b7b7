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
  retryAfterMs: number | null;
  /** From 0 to 1. Deliveries that failed together are not all repeated together. */
  random: number;
}

/** Returns when a delivery is tried again after a failure; null after the last attempt. */
export function nextAttemptAfter({ at, attemptCount, retryAfterMs, random }: FailedAttempt): Date | null {
  const step = retryWaitsMs[attemptCount - 1];
  if (step === undefined) return null;
  const wait =
    retryAfterMs === null
      ? step * (1 - spread + 2 * spread * random)
      : Math.min(Math.max(retryAfterMs, shortestWaitMs), step);
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

/** Returns the wait of a `Retry-After` header: seconds, or a date. Null if there is none, or it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  // Only the form of HTTP. The parser also accepts "5", and dates in local time.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
