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

function readLines(db: Database, page: ListedPage, { rows, end, signal }: Lines): Promise<CsvPage> {
  const { text, word, integer, amount, day } = csvCells;
  const line = csvLine(ownColumns, {
    id: word(page.id),
    amount: integer(page.amount),
    amountDecimal: amount(page.amount, page.currency),
    currency: text(page.currency),
    description: text(page.description),
    transactionDate: day(page.transactionDate),
    type: word(page.type),
    category: text(page.category),
    status: word(page.status),
    merchantName: text(page.merchantName),
    note: text(page.note),
    accountId: word(page.accountId),
  });
  const order = sql`${page.transactionDate} DESC, ${page.id} DESC`;
  return readCsvPage(db, db.select(csvPage({ line, end, id: page.id, order, rows })).from(page), signal);
}
