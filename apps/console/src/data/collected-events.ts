import { invalidateWithRunningReads, staleKeys } from "@purser/client/tanstack";
import type { QueryClient } from "@tanstack/react-query";

/** How long changes are collected before the open page reads again what they made stale. */
export const collectMs = 150;

/**
 * Collects events, and makes the queries that they concern stale, each once. It waits for what it has begun to read: a list
 * that takes longer to read than the next event takes to come would otherwise begin again with each, and never arrive. What
 * does not arrive holds back nothing else.
 */
export function collectEvents(client: QueryClient) {
  const stale = new Map<string, readonly unknown[]>();
  const reading = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (name: string, queryKey: readonly unknown[]) => {
    stale.delete(name);
    reading.add(name);
    await invalidateWithRunningReads(client, { queryKey });
    reading.delete(name);
    if (stale.has(name)) start();
  };
  const start = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const [name, key] of stale) if (!reading.has(name)) void read(name, key);
    }, collectMs);
  };
  return {
    add: (type: string) => {
      for (const key of staleKeys(type)) stale.set(key.join("."), key);
      start();
    },
    // What the next page reads from the cache must not be older than the events that have arrived.
    end: () => {
      clearTimeout(timer);
      for (const [name, key] of stale) void read(name, key);
    },
  };
}
