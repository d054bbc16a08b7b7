import type { Sql, TransactionSql } from "postgres";
import type { Slots } from "./slots.ts";

/** Is told what is sent to the database and when it was answered; never a value that a statement was sent with. */
export interface QueryTracer {
  /** A statement is about to be sent. What this gives is called when it was answered, with what it failed with. */
  statement(text: string): (failure?: unknown) => void;
  /** Runs a transaction, whose statements are parts of it. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface ClientOptions {
  readonly slots: Slots;
  /** Whether statements with parameters are prepared once a connection and then only executed. */
  readonly prepare: boolean;
  /** A statement that every transaction starts with. */
  readonly transactionStart: string | undefined;
  readonly tracer: QueryTracer | undefined;
}

/**
 * A bulk insert's or an IN list's text differs with its length, and each text would stay prepared in the server's
 * memory for as long as the connection lives.
 */
const maxPreparedParameters = 100;

type Unsafe = (...args: Parameters<Sql["unsafe"]>) => ReturnType<Sql["unsafe"]>;
type Callback = (transaction: TransactionSql) => unknown;

/** What a query of postgres.js does when it is first awaited, which its types leave out. */
interface Query {
  handler: (query: Query) => void;
  /** The text around the parameters. */
  readonly strings: readonly string[];
  readonly cancelled: unknown;
  reject(error: Error): void;
  then(settled: () => void, failed: (error: unknown) => void): unknown;
}

/**
 * The same client, with two differences: queries and transactions wait for a slot before they take a connection, and
 * `unsafe`, through which Drizzle sends everything, prepares statements.
 */
export function boundClient(sql: Sql, options: ClientOptions): Sql {
  const { slots, prepare, transactionStart, tracer } = options;
  const unsafe = preparing((...args) => sql.unsafe(...args), prepare);
  const begin = async (...args: [Callback] | [string, Callback]) => {
    const [modes, callback] = args.length === 1 ? ["", args[0]] : args;
    await new Promise<void>((resolve, reject) => slots.take(resolve, reject));
    try {
      return await sql.begin(modes, (transaction) => {
        // Sent ahead of the first statement without waiting for the answer; if it fails, so does the transaction.
        if (transactionStart !== undefined) void transaction.unsafe(transactionStart).execute();
        return callback(boundTransaction(transaction, options));
      });
    } finally {
      slots.release();
    }
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
 * `unsafe` does not prepare unless it is told to, and Drizzle tells it not to: each query with parameters would be
 * parsed and planned anew, in two round trips.
 */
function preparing(unsafe: Unsafe, prepare: boolean): Unsafe {
  if (!prepare) return unsafe;
  return (query, parameters = [], options = {}) =>
    unsafe(query, parameters, { ...options, prepare: parameters.length <= maxPreparedParameters });
}

/** Holds a query back until there is a slot. Fragments and identifiers, which are never sent, are not touched. */
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

/** Tells the tracer when a query sets out, also while it waits for a slot, and when it is over. */
function traced<Pending>(pending: Pending, tracer: QueryTracer): Pending {
  if (!isQuery(pending)) return pending;
  const start = pending.handler;
  pending.handler = (query) => {
    const over = tracer.statement(query.strings.join("?"));
    query.then(() => over(), over);
    start(query);
  };
  return pending;
}

function isQuery(value: unknown): value is Query {
  return value instanceof Promise && "handler" in value;
}
