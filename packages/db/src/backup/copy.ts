import type { Readable, Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import type { TransactionSql } from "postgres";
import type { Database, Transaction } from "../connection/connect.ts";

/**
 * What a `COPY … TO STDOUT` of this transaction gives, in pieces, no faster than they are taken. The pool needs a
 * second connection: whoever stops in the middle has the statement cancelled over it.
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
      // The end of the transaction waits behind the rows that nobody takes any more.
      const over = finished(rows.resume()).catch(() => undefined);
      await db.execute(sql`SELECT pg_cancel_backend(${backend!.pid})`).catch(() => undefined);
      await over;
    }
    // Where the last rows fill the stream, the driver stops listening to its connection, and resumes only in here.
    if (rows.errored === null) rows._read(0);
  }
}

/** Feeds a `COPY … FROM STDIN` of this transaction. When it returns, PostgreSQL has accepted every row. */
export async function copyIn(
  transaction: Transaction,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const query = clientOf(transaction).unsafe(statement);
  const rows = await opened(query, query.writable());
  await pipeline(source, rows);
}

/** A query of the driver, with what its types leave out: how it is settled. */
interface Query {
  resolve: (stream: Readable | Writable) => void;
  reject: (error: Error) => void;
}

/**
 * The stream of a COPY. To the driver the query is over once its stream is open: what PostgreSQL says afterwards of the
 * last rows, such as a foreign key that is broken, it would tell nobody, and the stream would never end.
 */
async function opened<Stream extends Readable | Writable>(
  query: unknown,
  stream: Promise<Stream>,
): Promise<Stream> {
  const { resolve } = query as Query;
  Object.assign(query as Query, {
    resolve(open: Stream) {
      // Before anybody has the stream, it may have failed already.
      open.on("error", () => undefined);
      Object.assign(query as Query, { resolve, reject: (error: Error) => open.destroy(error) });
      resolve(open);
    },
  });
  return stream;
}

/** Drizzle has no COPY; beneath it is the driver's transaction. */
function clientOf(transaction: Transaction): TransactionSql {
  return (transaction._.session as unknown as { client: TransactionSql }).client;
}
