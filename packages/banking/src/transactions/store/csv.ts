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
const pageRow = new QueryBuilder().select(listedColumns).from(bankTransactions).as("page");
const line = csvLine(ownColumns, {
  id: csvCells.word(pageRow.id),
  amount: csvCells.integer(pageRow.amount),
  amountDecimal: csvCells.amount(pageRow.amount, pageRow.currency),
  currency: csvCells.text(pageRow.currency),
  description: csvCells.text(pageRow.description),
  transactionDate: csvCells.day(pageRow.transactionDate),
  type: csvCells.word(pageRow.type),
  category: csvCells.text(pageRow.category),
  status: csvCells.word(pageRow.status),
  merchantName: csvCells.text(pageRow.merchantName),
  note: csvCells.text(pageRow.note),
  accountId: csvCells.word(pageRow.accountId),
});
const order = sql`${pageRow.transactionDate} DESC, ${pageRow.id} DESC`;

function readLines(db: Database, page: ListedPage, { rows, end, signal }: Lines): Promise<CsvPage> {
  return readCsvPage(db, db.select(csvPage({ line, end, id: pageRow.id, order, rows })).from(page), signal);
}
