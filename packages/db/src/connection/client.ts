import type { Sql, TransactionSql } from "postgres";
import type { Slots } from "./slots.ts";

/** Receives the text and the timing of each statement, never its parameters. */
export interface QueryTracer {
  /** Starts a span for a statement. The returned function ends it, with the error if the statement failed. */
  statement(text: string): (failure?: unknown) => void;
  /** Runs a transaction as a span. Its statements are child spans. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface ClientOptions {
  readonly slots: Slots;
  /** Whether statements with parameters are prepared once per connection. */
  readonly prepare: boolean;
  /** Returns the statement that a transaction starts with, if any. */
  readonly transactionStart: () => string | undefined;
  readonly tracer: QueryTracer | undefined;
}

/**
 * The text of a bulk insert or an IN list varies with its length. Each text would stay prepared in the server's memory
 * for the life of the connection.
 */
const maxPreparedParameters = 100;

/**
 * How long the failure of a transaction waits for the ROLLBACK. On a silent connection that would take as long again as the
 * statement that failed, or as one on another connection that the transaction waited for.
 */
const maxRollbackMs = 1000;

type Unsafe = (...args: Parameters<Sql["unsafe"]>) => ReturnType<Sql["unsafe"]>;
type Callback = (transaction: TransactionSql) => unknown;

/** A query of postgres.js, with the members that its types omit. `handler` runs when the query is first awaited. */
interface Query {
  handler: (query: Query) => void;
  /** The text around the parameters. */
  readonly strings: readonly string[];
  readonly cancelled: unknown;
  reject(error: Error): void;
  then(settled: () => void, failed: (error: unknown) => void): unknown;
}

/**
 * Wraps a client. Queries and transactions wait for a slot before they take a connection, and `unsafe`, through which
 * Drizzle sends everything, prepares statements.
 */
export function boundClient(sql: Sql, options: ClientOptions): Sql {
  const { slots, prepare, transactionStart, tracer } = options;
  const unsafe = preparing((...args) => sql.unsafe(...args), prepare);
  const begin = async (...args: [Callback] | [string, Callback]) => {
    const [modes, callback] = args.length === 1 ? ["", args[0]] : args;
    await new Promise<void>((resolve, reject) => slots.take(resolve, reject));
    const failed = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const ended = sql.begin(modes, async (transaction) => {
      // Pipelined before the first statement. If it fails, so does the transaction.
      const first = transactionStart();
      if (first !== undefined) void transaction.unsafe(first).execute();
      try {
        return await callback(boundTransaction(transaction, options));
      } catch (error) {
        timer = setTimeout(failed.reject, maxRollbackMs, error).unref();
        throw error;
      }
    });
    const release = () => {
      clearTimeout(timer);
      slots.release();
    };
    ended.then(release, release);
    return Promise.race([ended, failed.promise]);
  };
  const send = tracer
    ? <Pending>(pending: Pending) => traced(queued(pending, slots), tracer)
    : <Pending>(pending: Pending) => queued(pending, slots);
  const own = {
    unsafe: (...args: Parameters<Unsafe>) => send(unsafe(...args)),
    begin: tracer ? (...args: Parameters<typeof begin>) => tracer.transaction(() => begin(...args)) : begin,
  };
  return new Proxy(sql, {
    apply: (target, self, args) => send(Reflect.apply(target, self, args)),
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
  });
}

function boundTransaction(transaction: TransactionSql, options: ClientOptions): TransactionSql {
  const { prepare, tracer } = options;
  const unsafe = preparing((...args) => transaction.unsafe(...args), prepare);
  const own = {
    unsafe: tracer ? (...args: Parameters<Unsafe>) => traced(unsafe(...args), tracer) : unsafe,
    savepoint: (...args: [Callback] | [string, Callback]) => {
      const callback = args.length === 1 ? args[0] : args[1];
      const bound = (nested: TransactionSql) => callback(boundTransaction(nested, options));
      return args.length === 1 ? transaction.savepoint(bound) : transaction.savepoint(args[0], bound);
    },
  };
  return new Proxy(transaction, {
    ...(tracer && {
      apply: (target, self, args) => traced(Reflect.apply(target, self, args), tracer),
    }),
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
  });
}

/**
 * Drizzle passes `prepare: false` to `unsafe`: PostgreSQL would parse and plan each query with parameters again, in two
 * round trips.
 */
function preparing(unsafe: Unsafe, prepare: boolean): Unsafe {
  if (!prepare) return unsafe;
  return (query, parameters = [], options = {}) =>
    unsafe(query, parameters, { ...options, prepare: parameters.length <= maxPreparedParameters });
}

/** Delays a query until there is a slot. Fragments and identifiers are never sent, so they are unchanged. */
function queued<Pending>(pending: Pending, slots: Slots): Pending {
  if (!isQuery(pending)) return pending;
  const start = pending.handler;
  const release = () => slots.release();
  pending.handler = (query) =>
    slots.take(
      () => {
        if (query.cancelled !== null) return release();
        query.then(release, release);
        start(query);
      },
      (error) => query.reject(error),
    );
  return pending;
}

/** Reports the start of a query, including its wait for a slot, and its end to the tracer. */
function traced<Pending>(pending: Pending, tracer: QueryTracer): Pending {
  if (!isQuery(pending)) return pending;
  const start = pending.handler;
  pending.handler = (query) => {
    const endSpan = tracer.statement(query.strings.join("?"));
    query.then(() => endSpan(), endSpan);
    start(query);
  };
  return pending;
}

/** Runs a function if a query fails. Changes nothing about the query, which is still not sent before it is awaited. */
export function whenFailed<Pending>(pending: Pending, run: (failure: unknown) => void): Pending {
  if (!isQuery(pending)) return pending;
  const start = pending.handler;
  pending.handler = (query) => {
    query.then(() => undefined, run);
    start(query);
  };
  return pending;
}

function isQuery(value: unknown): value is Query {
  return value instanceof Promise && "handler" in value;
}
