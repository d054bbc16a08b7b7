import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { transactionAt } from "./feed.ts";
import type { Linked } from "./setup.ts";

const columns = [
  "organization_id",
  "id",
  "account_id",
  "connection_id",
  "external_id",
  "status",
  "amount",
  "raw_amount",
  "currency",
  "type",
  "description",
  "transaction_date",
  "category",
  "created_at",
  "updated_at",
];

/** Creates the rows that the first sync of this bank writes. This is not timed. */
export function rowsOf(
  { teamId, connectionId, accountIds, purser }: Linked,
  transactions: number,
): string[][] {
  const at = purser.clock.now().toISOString();
  return Array.from({ length: transactions }, (_, index) => {
    const facts = transactionAt(index, transactions);
    const id = `btx_${String(index).padStart(26, "0")}`;
    const { status, amount, rawAmount, currency, type, description, date } = facts;
    const place = [teamId, id, accountIds[index % accountIds.length]!, connectionId, facts.externalId!];
    const money = [status, String(amount), rawAmount, currency, type];
    return [...place, ...money, description, date, facts.category!, at, at];
  });
}

/** The fastest bulk load of PostgreSQL: one COPY in one transaction. */
export async function copyByHand({ purser }: Linked, rows: string[][]): Promise<void> {
  await connected(purser.platform.settings.databaseUrl!, async (sql) => {
    const stream = await sql`COPY bank_transactions (${sql(columns)}) FROM STDIN`.writable();
    await pipeline(Readable.from(linesOf(rows)), stream);
  });
}

/** Yields lines in chunks of a thousand rows. No value contains a character that COPY requires to be escaped. */
function* linesOf(rows: string[][]): Generator<string> {
  for (let start = 0; start < rows.length; start += 1000) {
    yield rows
      .slice(start, start + 1000)
      .map((row) => `${row.join("\t")}\n`)
      .join("");
  }
}

/** The usual way to write it: inserts of a thousand rows, in one transaction. */
export async function insertByHand({ purser }: Linked, rows: string[][]): Promise<void> {
  await connected(purser.platform.settings.databaseUrl!, (sql) =>
    sql.begin(async (transaction) => {
      for (let start = 0; start < rows.length; start += 1000) {
        const values = rows
          .slice(start, start + 1000)
          .map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));
        await transaction`INSERT INTO bank_transactions ${transaction(values)}`;
      }
    }),
  );
}

async function connected(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
