import { Problem } from "@purser/core";

/** Runs `work` once one of the key's slots is free. Throws UNAVAILABLE after `maxWaitMs`; without it, there is no limit. */
export type ConcurrencyLimit = <Output>(
  key: string,
  work: () => Promise<Output>,
  maxWaitMs?: number,
) => Promise<Output>;

/** Runs at most `limit` functions per key at once. The others wait in order of arrival. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const keys = new Map<string, { running: number; waiting: Set<() => void> }>();

  function take(key: string, maxWaitMs: number | undefined): Promise<void> {
    const slots = keys.get(key) ?? { running: 0, waiting: new Set() };
    keys.set(key, slots);
    if (slots.running < limit) {
      slots.running += 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      slots.waiting.delete(start);
      reject(new Problem("UNAVAILABLE", { retryAfterSeconds: 1 }));
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    slots.waiting.add(start);
    return promise;
  }

  function release(key: string): void {
    const slots = keys.get(key)!;
    const [next] = slots.waiting;
    if (next !== undefined) {
      // Passes the slot to the next in line, so a new call cannot overtake it.
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.running -= 1;
    if (slots.running === 0) keys.delete(key);
  }

  return async (key, work, maxWaitMs) => {
    await take(key, maxWaitMs);
    try {
      return await work();
    } finally {
      release(key);
    }
  };
}
