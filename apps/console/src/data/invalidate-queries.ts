import type { InvalidateQueryFilters, QueryClient } from "@tanstack/react-query";

/**
 * Makes queries stale, and reads again those in view. Resolves when they have arrived.
 *
 * TanStack Query lets some reads that have begun go on: the first of a query, and all of those that nobody looks at. When
 * they arrive, they count as fresh, although they may be older than the change. So it makes those stale once more.
 */
export async function invalidateWithRunningReads(
  client: QueryClient,
  filters: InvalidateQueryFilters = {},
): Promise<void> {
  const { refetchType: _, ...which } = filters;
  const begun = client
    .getQueryCache()
    .findAll({ ...which, fetchStatus: "fetching" })
    .map((query) => ({ query, read: query.promise }));
  const reading = client.invalidateQueries(filters);
  const older = begun.filter(({ query, read }) => query.promise === read);
  await reading;
  if (older.length === 0) return;
  await Promise.allSettled(older.flatMap(({ read }) => read ?? []));
  const queries = new Set(older.map(({ query }) => query));
  await client.invalidateQueries({ ...filters, predicate: (query) => queries.has(query) });
}
