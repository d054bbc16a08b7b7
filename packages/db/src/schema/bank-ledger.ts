import { bankTransactionTypes } from "@purser/core";
import { sql } from "drizzle-orm";
import { check, date, foreignKey, index, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { bankAccounts } from "./banking.ts";
import { id, instant, isOneOf, money } from "./columns.ts";

const ledgerStatuses = ["PENDING", "POSTED", "REMOVED"] as const;
const quarantineReasons = ["DIFFERENT_AMOUNT", "MISSING_FROM_WINDOW"] as const;

const isListed = sql`status = 'POSTED'`;

/** A transaction of a bank account. Lists show only posted ones; pending and removed ones stay in the table. */
export const bankTransactions = pgTable(
  "bank_transactions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    accountId: id("account_id").notNull(),
    /** The connection under which the external id is known. */
    connectionId: id("connection_id").notNull(),
    externalId: id("external_id").notNull(),
    status: text("status", { enum: ledgerStatuses }).notNull(),
    amount: money("amount").notNull(),
    /** The provider's text, before rounding to minor units. */
    rawAmount: text("raw_amount").notNull(),
    currency: text("currency").notNull(),
    type: text("type", { enum: bankTransactionTypes }).notNull(),
    description: text("description").notNull(),
    transactionDate: date("transaction_date").notNull(),
    category: text("category"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.accountId],
      foreignColumns: [bankAccounts.organizationId, bankAccounts.id],
    }),
    unique("bank_transactions_external_key").on(
      table.organizationId,
      table.accountId,
      table.connectionId,
      table.externalId,
    ),
    // One index per filter, in list order, so a page costs the same for any history.
    index("bank_transactions_listed")
      .on(table.organizationId, table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_of_account")
      .on(table.organizationId, table.accountId, table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_by_category")
      .on(table.organizationId, table.category, table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_by_type")
      .on(table.organizationId, table.type, table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_pending")
      .on(table.organizationId, table.accountId, table.amount)
      .where(sql`status = 'PENDING'`),
    check("bank_transactions_status", isOneOf("status", ledgerStatuses)),
    check("bank_transactions_type", isOneOf("type", bankTransactionTypes)),
    check("bank_transactions_amount", sql`amount >= 0`),
  ],
);

/** Bank data that contradicts earlier data. A person decides; the ledger is unchanged. */
export const bankQuarantine = pgTable(
  "bank_quarantine",
  {
    organizationId: id("organization_id").notNull(),
    accountId: id("account_id").notNull(),
    connectionId: id("connection_id").notNull(),
    externalId: id("external_id").notNull(),
    reason: text("reason", { enum: quarantineReasons }).notNull(),
    /** The bank's data, as JSON. */
    facts: text("facts").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.organizationId, table.accountId, table.connectionId, table.externalId, table.reason],
    }),
    foreignKey({
      columns: [table.organizationId, table.accountId],
      foreignColumns: [bankAccounts.organizationId, bankAccounts.id],
    }),
    check("bank_quarantine_reason", isOneOf("reason", quarantineReasons)),
  ],
);
