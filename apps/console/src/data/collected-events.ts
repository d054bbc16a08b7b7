import { staleKeys } from "@purser/client/tanstack";
import type { QueryClient } from "@tanstack/react-query";

/** How long changes are collected before the open page reads again what they made stale. */
export const collectMs = 150;

/**
 * Collects events, and makes the queries that they concern stale, each once. It waits for what it has begun to read: a list
 * that takes longer to read than the next event takes to come would otherwise begin anew with each, and never arrive.
 */
export function collectEvents(client: QueryClient) {
  const types = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = async () => {
    const keys = new Map([...types].flatMap(staleKeys).map((key) => [key.join("."), key]));
    types.clear();
    await Promise.all([...keys.values()].map((queryKey) => client.invalidateQueries({ queryKey })));
    timer = undefined;
    if (types.size > 0) start();
  };
  const start = () => {
    timer = setTimeout(() => void refresh(), collectMs);
  };
  return {
    add: (type: string) => {
      types.add(type);
      if (timer === undefined) start();
    },
    // What the next page reads from the cache must not be older than the events that have arrived.
    end: () => {
      clearTimeout(timer);
      void refresh();
    },
  };
}
