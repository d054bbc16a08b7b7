const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** How often a connection is synchronised unasked where its provider sets no limit. */
const readsPerDay = 4;

/** The first wait after a failure. */
const shortestWait = 2 * 60 * 1000;

interface Reads {
  /** When it was read with nobody present within the last 24 hours, newest first. */
  unattendedStarts: readonly Date[];
  /** How often that is allowed in 24 hours; null for no limit. */
  quota: number | null;
}

interface Past extends Reads {
  now: Date;
  /** Failures since the last success; 0 after one. */
  failures: number;
  /** When the provider asked to be tried again. */
  retryAfterSeconds?: number | undefined;
}

/**
 * When to synchronise next without being asked: evenly over the day after a success, soon and then ever later after
 * a failure, and never beyond the quota, which failed reads use up as well.
 */
export function nextSync({ now, failures, retryAfterSeconds = 0, ...reads }: Past): Date {
  const { quota } = reads;
  const regular = day / Math.min(readsPerDay, quota ?? readsPerDay);
  // Few reads are not to be spent on a single outage of some minutes: the day's rest would pass without any.
  const growth = quota === null ? 2 : 15;
  const backoff = Math.min(shortestWait * growth ** (failures - 1), regular);
  const wished = Math.max(failures === 0 ? regular : backoff, retryAfterSeconds * 1000);
  const next = new Date(now.getTime() + wished);
  const allowed = allowedFrom(reads);
  return allowed !== null && allowed > next ? allowed : next;
}

/** From when on it may be read once more with nobody present; null where the quota leaves room already. */
export function allowedFrom({ unattendedStarts, quota }: Reads): Date | null {
  if (quota === null) return null;
  // The read that is to happen is the last of a quota within 24 hours only when the oldest of them is older.
  const oldest = unattendedStarts[quota - 1];
  return oldest === undefined ? null : new Date(oldest.getTime() + day);
}
