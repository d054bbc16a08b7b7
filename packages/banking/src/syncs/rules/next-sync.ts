import { addMs, dayMs } from "@purser/core";

/** How many times a day the schedule syncs a connection whose provider sets no limit. */
const readsPerDay = 4;

/** The first wait after a failure. */
const shortestWait = 2 * 60 * 1000;

interface Reads {
  /** Start times of the unattended reads of the last 24 hours, newest first. */
  unattendedStarts: readonly Date[];
  /** The number of unattended reads allowed in 24 hours; null for no limit. */
  quota: number | null;
}

interface Past extends Reads {
  now: Date;
  /** Failures since the last success; 0 after one. */
  failures: number;
  /** The pause that the provider requested. */
  retryAfterSeconds?: number | undefined;
}

/**
 * When the schedule syncs next: evenly over the day after a success, with exponential backoff after failures, and never
 * beyond the quota, which failed reads use up too.
 */
export function nextSync({ now, failures, retryAfterSeconds = 0, ...reads }: Past): Date {
  const { quota } = reads;
  const regular = dayMs / Math.min(readsPerDay, quota ?? readsPerDay);
  // A short outage must not use up the few reads of the day.
  const growth = quota === null ? 2 : 15;
  const backoff = Math.min(shortestWait * growth ** (failures - 1), regular);
  // Limits last a day. A longer pause, as of a provider that counts milliseconds, would leave the bank unread for months.
  const pause = Math.min(retryAfterSeconds * 1000, dayMs);
  const earliest = Math.max(failures === 0 ? regular : backoff, pause);
  const next = addMs(now, earliest);
  const allowed = allowedFrom(reads);
  return allowed !== null && allowed > next ? allowed : next;
}

/** When the quota allows the next unattended read; null if it allows one now. */
export function allowedFrom({ unattendedStarts, quota }: Reads): Date | null {
  if (quota === null) return null;
  // The next read fits the quota once the oldest of the last `quota` reads is more than 24 hours ago.
  const oldest = unattendedStarts[quota - 1];
  return oldest === undefined ? null : addMs(oldest, dayMs);
}
