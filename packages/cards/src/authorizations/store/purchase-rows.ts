import { cardLedgerEntries, cardTransactions } from "@purser/db";
import { insertingFrom } from "@purser/platform";
import { type NewEventRow, eventColumns, insertingEventsFrom } from "@purser/platform/events";
import { type Column, type SQL, getTableColumns, sql } from "drizzle-orm";

export type TransactionRow = typeof cardTransactions.$inferSelect;
export type LedgerEntry = typeof cardLedgerEntries.$inferSelect;

/** A decided purchase, its entry in the ledger, and its event in the organization's feed, all created at once. */
export interface DecidedPurchase {
  transaction: TransactionRow;
  entry: LedgerEntry;
  event: NewEventRow;
}

const transactionColumns = getTableColumns(cardTransactions);
const entryColumns = getTableColumns(cardLedgerEntries);

/** The columns of a purchase's row that hold those of each table. Entry and event repeat a part of the transaction. */
const columnNames = {
  transaction: columnNamesOf(transactionColumns, ""),
  entry: {
    ...columnNamesOf(entryColumns, "entry_"),
    organizationId: "organization_id",
    cardId: "card_id",
    transactionId: "id",
    createdAt: "created_at",
  },
  event: {
    ...columnNamesOf(eventColumns, "event_"),
    organizationId: "organization_id",
    subjectId: "id",
    createdAt: "created_at",
    transactionId: "(SELECT id FROM feed_position)",
  },
};

/** The columns that the rows have. */
const columns = [
  ...columnsAt("transaction", transactionColumns, ""),
  ...columnsAt("entry", entryColumns, "entry_"),
  ...columnsAt("event", eventColumns, "event_"),
];

const definition = sql.raw(columns.map(({ name, type }) => `${name} ${type}`).join(", "));

/** Purchases as rows of one JSON parameter, which PostgreSQL reads once for all three tables. */
export function purchaseRows(purchases: readonly DecidedPurchase[]): SQL {
  const rows = purchases.map((purchase) => {
    const row: Record<string, unknown> = {};
    for (const { part, field, name } of columns) row[name] = purchase[part][field as never];
    return row;
  });
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) AS purchase_rows (${definition})`;
}

/** Insert what the rows of the part `purchase` of a statement have. Its part `feed_position` has the position of the events. */
export const insertingTransactions = insertingFrom("purchase", cardTransactions, columnNames.transaction);
export const insertingLedgerEntries = insertingFrom("purchase", cardLedgerEntries, columnNames.entry);
export const insertingFeedEvents = insertingEventsFrom("purchase", columnNames.event);

type Columns = Readonly<Record<string, Column>>;

function columnNamesOf<Of extends Columns>(of: Of, prefix: string) {
  const named = Object.entries(of).map(([field, { name }]) => [field, prefix + name]);
  return Object.fromEntries(named) as Record<keyof Of, string>;
}

function columnsAt(part: keyof DecidedPurchase, of: Columns, prefix: string) {
  return Object.entries(of)
    .map(([field, column]) => ({ part, field, name: prefix + column.name, type: column.getSQLType() }))
    .filter(({ field, name }) => columnNames[part][field as never] === name);
}
