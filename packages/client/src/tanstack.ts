import type { PurserClient } from "./generated/purser-client.ts";
import type {
  ListPage,
  PurserArguments,
  PurserList,
  PurserMutation,
  PurserQuery,
  PurserStream,
} from "./methods.ts";
import type { CallOptions, MutationOptions, OwnMutationOptions } from "./options.ts";
import { randomKey } from "./random-key.ts";
import { staleQueries } from "./stale-queries.ts";

/** The queries and mutations of a client as options for TanStack Query, grouped as in the client. */
export type PurserQueries<Client = PurserClient> = {
  readonly [
    Name in keyof Client as Client[Name] extends PurserStream<never, unknown> ? never : Name
  ]: Client[Name] extends PurserList<infer Input, infer Item>
    ? ListOptions<Input, Item>
    : Client[Name] extends PurserQuery<infer Input, infer Output>
      ? QueryOptions<Input, Output>
      : Client[Name] extends PurserMutation<infer Input, infer Output>
        ? MutationMethodOptions<Input, Output>
        : PurserQueries<Client[Name]>;
};

interface QueryOptions<Input, Output> {
  /** The key of the query. Without an input, the beginning of the keys of all its queries. */
  queryKey: (input?: Input) => PurserQueryKey;
  /** Options for `useQuery`, `prefetchQuery` and their like. */
  queryOptions: (...call: PurserArguments<Input, CallOptions>) => {
    queryKey: PurserQueryKey;
    queryFn: (context: { signal: AbortSignal }) => Promise<Output>;
  };
}

interface ListOptions<Input, Item> extends QueryOptions<Input, Item[]> {
  /** Options for `useInfiniteQuery` and its like. The pages have `items` and `nextAfter`. */
  infiniteQueryOptions: (...call: PurserArguments<Input, CallOptions>) => {
    queryKey: PurserQueryKey;
    queryFn: (context: { signal: AbortSignal; pageParam: string | null }) => Promise<ListPage<Item>>;
    initialPageParam: string | null;
    getNextPageParam: (page: ListPage<Item>) => string | null;
  };
}

interface MutationMethodOptions<Input, Output> {
  /**
   * Options for `useMutation`. All attempts of one execution have the same idempotency key. A function of yours may make
   * several calls in one execution: each has its own key, but calls with equal inputs are one call. Pass a further `{}` instead
   * of the execution to make it again. Such a call has a new key with each attempt of TanStack.
   *
   * ```ts
   * const { mutationFn } = queries.cards.create.mutationOptions();
   * useMutation({
   *   mutationFn: (inputs: CardsCreateInput[], execution) =>
   *     Promise.all(inputs.map((input) => mutationFn(input, execution))),
   * });
   * ```
   */
  mutationOptions: (options?: Omit<MutationOptions, "idempotencyKey">) => {
    mutationKey: PurserQueryKey;
    mutationFn: (input: Input, execution: object) => Promise<Output>;
  };
}

/**
 * `["purser", "cards", "list", input]`, or with another prefix than `purser`. The beginning of a key matches all queries
 * under it, so `invalidateQueries({ queryKey: ["purser", "cards"] })` reads everything about cards again.
 */
export type PurserQueryKey = readonly [prefix: string, ...unknown[]];

interface QueryKeyOptions {
  /** The beginning of all keys. Clients with different prefixes share no data in a cache. Default: `"purser"`. */
  prefix?: string | undefined;
}

/**
 * Creates options for TanStack Query from a client. It needs no package of TanStack, and works with that of every
 * framework, from version 5.89 on. Set `retry: false` in TanStack, because the client retries what may succeed later.
 *
 * The keys do not name the person. Call `queryClient.clear()` when a person signs out, or the next one who signs in sees
 * their data. Two clients in one cache, such as those of two servers, need a `prefix` each.
 *
 * ```ts
 * const queries = createPurserQueries(createPurserClient({ baseUrl: "" }));
 * const { data } = useQuery(queries.cards.list.queryOptions({ organizationId }));
 * ```
 */
export function createPurserQueries(
  client: PurserClient,
  { prefix = defaultPrefix }: QueryKeyOptions = {},
): PurserQueries {
  return optionsUnder(client, prefix) as PurserQueries;
}

/**
 * Returns the keys of the queries that an event makes stale, for a page that stays true while things change. An event of
 * a type that this client does not know makes all of them stale. Pass them to {@link invalidateWithRunningReads}, because
 * `invalidateQueries` of TanStack may leave a read that is older than the event. `prefix` is that of your queries.
 *
 * ```ts
 * for await (const { type } of purser.events.stream({ organizationId }))
 *   for (const queryKey of staleKeys(type)) void invalidateWithRunningReads(queryClient, { queryKey });
 * ```
 */
export function staleKeys(
  eventType: string,
  { prefix = defaultPrefix }: QueryKeyOptions = {},
): PurserQueryKey[] {
  const stale = staleQueries(eventType);
  return stale === null ? [[prefix]] : stale.map((path) => [prefix, ...path.split(".")]);
}

const defaultPrefix = "purser";

/**
 * Makes queries stale, and reads again those in view. Resolves when they have arrived, also if a read fails. Without
 * filters, it does so with all queries.
 *
 * `invalidateQueries` of TanStack lets some reads that have begun go on: the first of a query, and all of those that no page
 * shows. When they arrive, they count as fresh, although they may be older than the change. This makes those stale once more.
 *
 * ```ts
 * await invalidateWithRunningReads(queryClient, { queryKey: queries.cards.list.queryKey() });
 * ```
 */
export async function invalidateWithRunningReads(
  queryClient: InvalidatingClient,
  filters: InvalidateFilters = {},
): Promise<void> {
  const { refetchType: _, ...which } = filters;
  const begun = queryClient
    .getQueryCache()
    .findAll({ ...which, fetchStatus: "fetching" })
    .map((query) => ({ query, read: query.promise }));
  const reading = queryClient.invalidateQueries(filters);
  const older = begun.filter(({ query, read }) => query.promise === read);
  await reading;
  if (older.length === 0) return;
  await Promise.allSettled(older.flatMap(({ read }) => read ?? []));
  const queries = new Set<unknown>(older.map(({ query }) => query));
  await queryClient.invalidateQueries({ ...filters, predicate: (query: unknown) => queries.has(query) });
}

/** What this needs of the `QueryClient` of any framework. */
interface InvalidatingClient {
  getQueryCache(): {
    findAll(filters: object): readonly { readonly promise: Promise<unknown> | undefined }[];
  };
  invalidateQueries(filters: object): Promise<void>;
}

interface InvalidateFilters {
  /** The beginning of the keys. */
  queryKey?: readonly unknown[] | undefined;
  /** Which of the queries are read again at once. Default: `"active"`, those in view. */
  refetchType?: "active" | "inactive" | "all" | "none" | undefined;
}

function optionsUnder(node: object, prefix: string): object {
  const members = Object.entries(node).flatMap(([name, member]: [string, object]) => {
    if (typeof member !== "function") return [[name, optionsUnder(member, prefix)]];
    const { type } = member as Method;
    return type === "subscription" ? [] : [[name, optionsOf(member as Method, prefix)]];
  });
  return Object.fromEntries(members) as object;
}

/** A method of the client at run time. */
interface Method {
  (input: unknown, options?: OwnMutationOptions): Promise<unknown>;
  page: (input: unknown, options?: CallOptions) => Promise<ListPage<unknown>>;
  path: string;
  type: "query" | "mutation" | "subscription";
}

/** TanStack Query passes the same object to all attempts of an execution, but not before version 5.89. */
const keys = new WeakMap<object, Map<string, string>>();

/** Returns the key of a call within an execution, which may make several. */
function keyOf(execution: object | undefined, ...call: [path: string, input: unknown]): string {
  // With a key for each attempt, a repeat of one whose response was lost would take effect again.
  if (!execution) throw new TypeError("Needs TanStack Query 5.89");
  const ofCalls = keys.get(execution) ?? new Map<string, string>();
  keys.set(execution, ofCalls);
  const name = JSON.stringify(call);
  const key = ofCalls.get(name) ?? randomKey();
  ofCalls.set(name, key);
  return key;
}

function optionsOf(method: Method, prefix: string): object {
  const key = [prefix, ...method.path.split(".")];
  if (method.type === "mutation") {
    return {
      mutationOptions: (options?: CallOptions) => ({
        mutationKey: key,
        mutationFn: (input: unknown, execution?: object) =>
          method(input, { ...options, fallbackKey: keyOf(execution, method.path, input) }),
      }),
    };
  }
  const queryKey = (input?: unknown) => (input === undefined ? key : [...key, input]);
  return {
    queryKey,
    queryOptions: (input?: unknown, options?: CallOptions) => ({
      queryKey: queryKey(input),
      queryFn: ({ signal }: { signal: AbortSignal }) => method(input, withSignal(options, signal)),
    }),
    infiniteQueryOptions: (input: { after?: string } = {}, options?: CallOptions) => ({
      // Apart from the same query without pages, whose data has another shape.
      queryKey: [...key, input, "pages"],
      queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | null }) =>
        method.page(pageParam === null ? input : { ...input, after: pageParam }, withSignal(options, signal)),
      initialPageParam: input.after ?? null,
      getNextPageParam: ({ nextAfter }: ListPage<unknown>) => nextAfter,
    }),
  };
}

/** Adds the signal of TanStack, which ends a query that no page shows any more. */
const withSignal = (options: CallOptions | undefined, signal: AbortSignal): CallOptions => ({
  ...options,
  signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal,
});
