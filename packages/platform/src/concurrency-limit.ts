import { Problem } from "@purser/core";

/** Runs `work` once one of the key's slots is free. Throws UNAVAILABLE after `maxWaitMs`; without it, there is no limit. */
export type ConcurrencyLimit = <Output>(
  key: string,
  work: () => Promise<Output>,
  maxWaitMs?: number,
) => Promise<Output>;

interface LimitOptions {
  /**
   * Whether those who wait for a slot fail with work that failed so. Each would otherwise meet a silent database after the one
   * before it has given up, and the last of them would wait for the sum. Default: they do not.
   */
  failsWaiting?: (error: unknown) => boolean;
}

/** Runs at most `limit` functions per key at once. The others wait in order of arrival. */
export function createConcurrencyLimit(
  limit: number,
  { failsWaiting = () => false }: LimitOptions = {},
): ConcurrencyLimit {
  const keys = new Map<string, { running: number; waiting: Set<PromiseWithResolvers<void>> }>();

  async function take(key: string, maxWaitMs: number | undefined): Promise<void> {
    const slots = keys.get(key) ?? { running: 0, waiting: new Set() };
    keys.set(key, slots);
    if (slots.running < limit) {
      slots.running += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    slots.waiting.add(turn);
    const giveUp = () => {
      slots.waiting.delete(turn);
      turn.reject(unavailable());
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  function failWaiting(key: string, cause: unknown): void {
    const { waiting } = keys.get(key)!;
    for (const turn of waiting) turn.reject(unavailable(cause));
    waiting.clear();
  }

  function release(key: string): void {
    const slots = keys.get(key)!;
    const [next] = slots.waiting;
    if (next !== undefined) {
      // Passes the slot to the next in line, so a new call cannot overtake it.
      slots.waiting.delete(next);
      next.resolve();
      return;
    }
    slots.running -= 1;
    if (slots.running === 0) keys.delete(key);
  }

  return async (key, work, maxWaitMs) => {
    await take(key, maxWaitMs);
    try {
      return await work();
    } catch (error) {
      if (failsWaiting(error)) failWaiting(key, error);
      throw error;
    } finally {
      release(key);
    }
  };
}

const unavailable = (cause?: unknown) => new Problem("UNAVAILABLE", { retryAfterSeconds: 1, cause });
