import type { PendingQuery, Sql, TransactionSql } from "postgres";
import type { Slots } from "./slots.ts";

export interface ClientOptions {
  readonly slots: Slots;
  /** Whether statements with parameters are prepared once a connection and then only executed. */
  readonly prepare: boolean;
  /** A statement that every transaction starts with. */
  readonly transactionStart: string | undefined;
}

/**
 * A bulk insert's or an IN list's text differs with its length, and each text would stay prepared in the server's
 * memory for as long as the connection lives.
 */
const maxPreparedParameters = 100;

type Unsafe = Sql["unsafe"];

/** What a query of postgres.js does when it is first awaited, which its types leave out. */
interface Startable {
  handler: (query: Startable) => void;
  cancelled: unknown;
  reject(error: Error): void;
  then(settled: () => void, failed: () => void): unknown;
}

/**
 * The same client, with two differences: whatever takes one of its connections waits for a slot first, and
 * `unsafe`, through which Drizzle sends everything, prepares statements.
 */
export function boundClient(sql: Sql, options: ClientOptions): Sql {
  const { slots } = options;
  const prepared = preparing(sql.unsafe, options.prepare);
  const unsafe = (...args: Parameters<Unsafe>) => queued(prepared(...args), slots);
  const begin = async (...args: [unknown, unknown?]) => {
    const callback = args.pop() as (transaction: TransactionSql) => unknown;
    const modes = args[0] === undefined ? "" : String(args[0]);
    await new Promise<void>((resolve, reject) => slots.take(resolve, reject));
    try {
      return await sql.begin(modes, (transaction) => {
        // Sent ahead of the first statement, on the same way; a failure of it fails the transaction.
        if (options.transactionStart !== undefined) transaction.unsafe(options.transactionStart).execute();
        return callback(boundTransaction(transaction, options.prepare));
      });
    } finally {
      slots.release();
    }
  };
  return new Proxy(sql, {
    apply: (target, self, args) => queued(Reflect.apply(target, self, args), slots),
    get: (target, name) => (name === "unsafe" ? unsafe : name === "begin" ? begin : Reflect.get(target, name)),
  });
}

function boundTransaction(transaction: TransactionSql, prepare: boolean): TransactionSql {
  const savepoint = transaction.savepoint as (...args: unknown[]) => Promise<unknown>;
  return Object.assign(transaction, {
    unsafe: preparing(transaction.unsafe, prepare),
    savepoint: (...args: unknown[]) => {
      const callback = args.pop() as (transaction: TransactionSql) => unknown;
      return savepoint(...args, (inner: TransactionSql) => callback(boundTransaction(inner, prepare)));
    },
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

/** Holds the query back until there is a slot. Fragments and identifiers, which are never sent, are not touched. */
function queued<Pending extends PendingQuery<never[]> | object>(pending: Pending, slots: Slots): Pending {
  if (!(pending instanceof Promise)) return pending;
  const query = pending as unknown as Startable;
  const start = query.handler;
  const release = () => slots.release();
  query.handler = () =>
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
