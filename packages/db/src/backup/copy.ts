import type { Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import type { TransactionSql } from "postgres";
import type { Database, Transaction } from "../connection/database.ts";

/**
 * Streams the output of a `COPY … TO STDOUT` in this transaction, with backpressure. The pool needs a second connection:
 * if the reader stops early, it cancels the statement.
 */
export async function* copyOut(
  db: Database,
  transaction: Transaction,
  statement: string,
): AsyncGenerator<Buffer> {
  const [backend] = await transaction.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  const query = clientOf(transaction).unsafe(statement);
  const rows = await opened(query, query.readable());
  try {
    yield* rows.iterator({ destroyOnReturn: false });
  } finally {
    if (rows.errored === null && !rows.readableEnded) {
      // The end of the transaction waits behind the unread rows.
      const drained = finished(rows.resume()).catch(() => undefined);
      await db.execute(sql`SELECT pg_cancel_backend(${backend!.pid}::int)`).catch(() => undefined);
      await drained;
    }
    // If the last rows fill the stream, the driver pauses its socket and resumes it only in `_read`.
    if (rows.errored === null) rows._read(0);
  }
}

/** Feeds a `COPY … FROM STDIN` in this transaction. When it returns, PostgreSQL has accepted every row. */
export async function copyIn(
  transaction: Transaction,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const query = clientOf(transaction).unsafe(statement);
  const rows = await opened(query, query.writable());
  await pipeline(source, rows);
}

/** A query of the driver, with the members that its types omit. */
interface Query {
  resolve: (stream: Readable | Writable) => void;
  reject: (error: Error) => void;
}

/**
 * Returns the stream of a COPY. For the driver, the query is settled once its stream is open. A later error, such as a
 * broken foreign key in the last rows, would be lost and the stream would never end, so it destroys the stream here.
 */
async function opened<Stream extends Readable | Writable>(
  query: unknown,
  stream: Promise<Stream>,
): Promise<Stream> {
  const { resolve } = query as Query;
  Object.assign(query as Query, {
    resolve(open: Stream) {
      // The stream may fail before the caller has it.
      open.on("error", () => undefined);
      Object.assign(query as Query, { resolve, reject: (error: Error) => open.destroy(error) });
      resolve(open);
    },
  });
  return stream;
}

/** Drizzle has no COPY. Returns the driver's transaction beneath it. */
function clientOf(transaction: Transaction): TransactionSql {
  return (transaction._.session as unknown as { client: TransactionSql }).client;
}
