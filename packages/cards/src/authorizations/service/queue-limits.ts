import type { Database } from "@purser/db";

/** The network decides without us after two seconds. Work that cannot start within one second is not started. */
export const startWithinMs = 1000;

/**
 * How many decisions may wait for locks at once, of each kind: on one card's purchases, and on increments. One
 * connection is reserved for batches, which wait for no lock.
 */
export function maxLockWaits(pool: Database["use"]): number {
  return Math.max(1, Math.floor((pool.size - 1) / 2));
}
