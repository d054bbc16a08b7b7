import { csvColumns } from "@purser/core";
import {
  type CsvPage,
  type Database,
  bankTransactions,
  csvCells,
  csvLine,
  csvPage,
  readCsvPage,
} from "@purser/db";
import { and, eq, inArray, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/pg-core";
import { BankTransaction } from "../contract.ts";
import { type ListedPage, type TransactionFilter, isPresentRow, listedColumns, listedPage } from "./list.ts";

const columns = csvColumns(BankTransaction);
/** The last columns. Only the service can write them, because account numbers are sealed. */
export const csvAccountColumns = columns.filter(({ name }) => name.startsWith("account."));
const ownColumns = columns.slice(0, -csvAccountColumns.length);

interface Lines {
  rows: number;
  /** What each line ends with, after its `accountId`. */
  end: string;
  signal: AbortSignal | undefined;
}

/** Writes the transactions that match as lines of CSV, newest first, without the columns of their accounts. */
export async function listTransactionLines(
  db: Database,
  filter: TransactionFilter,
  lines: Lines,
): Promise<CsvPage> {
  if (filter.accountIds?.length === 0) return { text: Buffer.alloc(0), last: null };
  return readLines(db, listedPage(db, filter, lines.rows), lines);
}

/** Writes posted and pending transactions by their ids, like {@link listTransactionLines}. */
export async function findTransactionLines(
  db: Database,
  organizationId: string,
  ids: readonly string[],
  lines: Lines,
): Promise<CsvPage> {
  const { organizationId: ofOrganization, id } = bankTransactions;
  const found = db
    .select(listedColumns)
    .from(bankTransactions)
    .where(and(eq(ofOrganization, organizationId), inArray(id, [...ids]), isPresentRow));
  return readLines(db, found.as("page"), lines);
}

/** The columns of every page, for {@link line}. */
const listed = new QueryBuilder().select(listedColumns).from(bankTransactions).as("page");
const { text, word, integer, amount, day } = csvCells;
const line = csvLine(ownColumns, {
  id: word(listed.id),
  amount: integer(listed.amount),
  amountDecimal: amount(listed.amount, listed.currency),
  currency: text(listed.currency),
  description: text(listed.description),
  transactionDate: day(listed.transactionDate),
  type: word(listed.type),
  category: text(listed.category),
  status: word(listed.status),
  merchantName: text(listed.merchantName),
  note: text(listed.note),
  accountId: word(listed.accountId),
});
const order = sql`${listed.transactionDate} DESC, ${listed.id} DESC`;

function readLines(db: Database, page: ListedPage, { rows, end, signal }: Lines): Promise<CsvPage> {
  return readCsvPage(db, db.select(csvPage({ line, end, id: listed.id, order, rows })).from(page), signal);
}
