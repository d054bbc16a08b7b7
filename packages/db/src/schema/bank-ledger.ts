import { bankQuarantineReasons, bankTransactionStatuses, bankTransactionTypes } from "@purser/core";
import { type SQL, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bankAccounts } from "./banking.ts";
import { id, instant, isOneOf, money, moneySum, tsvector } from "./columns.ts";

const ledgerStatuses = [...bankTransactionStatuses, "REMOVED"] as const;
const quarantineResolutions = ["ACCEPTED", "REJECTED"] as const;

/** How long the list of entries may become that a sync has not moved into the search index. */
const searchListKilobytes = 16_384;

const isListed = sql`status = 'POSTED'`;

/** The category that lists show: the person's, or else the bank's. The text is that of the index, which needs it. */
export const shownCategory = (table: {
  ownCategory: AnyPgColumn;
  category: AnyPgColumn;
}): SQL<string | null> => sql<string | null>`coalesce(${table.ownCategory}, ${table.category})`;

/** The epoch of a transaction that a merge of accounts brought: it is earlier than every epoch of an account. */
export const mergedEpoch = -1;
/** The same of one that the account's own connection has read, from an account that its bank no longer lists. */
export const unlistedEpoch = -2;

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
    /** The epoch of the account in which its bank used the external id, {@link mergedEpoch} or {@link unlistedEpoch}. */
    idEpoch: integer("id_epoch").notNull().default(0),
    status: text("status", { enum: ledgerStatuses }).notNull(),
    amount: money("amount").notNull(),
    /** The provider's text, before rounding to minor units. */
    rawAmount: text("raw_amount").notNull(),
    currency: text("currency").notNull(),
    type: text("type", { enum: bankTransactionTypes }).notNull(),
    description: text("description").notNull(),
    transactionDate: date("transaction_date").notNull(),
    /** The merchant, where the bank or its provider reports it separately from the description. */
    merchantName: text("merchant_name"),
    /** The bank's category. Lists show `own_category` instead, if there is one. */
    category: text("category"),
    /** The category that a person gave it. Only `banking.transactions.update` and merges write it, never a sync. */
    ownCategory: text("own_category"),
    /** A person's note, written like `own_category`. */
    note: text("note"),
    /**
     * What `banking.transactions.list` searches. Null for a row that a version before this column wrote, until the hourly
     * task has indexed it.
     */
    search: tsvector("search"),
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
    index("bank_transactions_by_shown_category")
      .on(table.organizationId, shownCategory(table), table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_by_type")
      .on(table.organizationId, table.type, table.transactionDate, table.id)
      .where(isListed),
    index("bank_transactions_pending")
      .on(table.organizationId, table.accountId, table.amount)
      .where(sql`status = 'PENDING'`),
    // Entries collect in a list, which is cheap for a sync and slow to search, until the hourly task moves them.
    index("bank_transactions_search")
      .using("gin", table.search)
      .with({ gin_pending_list_limit: searchListKilobytes }),
    index("bank_transactions_unsearchable")
      .on(table.organizationId, table.id)
      .where(sql`search IS NULL`),
    check("bank_transactions_status", isOneOf("status", ledgerStatuses)),
    check("bank_transactions_type", isOneOf("type", bankTransactionTypes)),
    check("bank_transactions_amount", sql`amount >= 0`),
  ],
);

/**
 * The money of each account's posted transactions by day and currency, and the same by category as well. Writers of the
 * ledger update these totals in the same database transaction, so a report of years reads no transaction.
 */
export const bankDailyTotals = pgTable(
  "bank_daily_totals",
  {
    organizationId: id("organization_id").notNull(),
    /** Whether the total is that of one category. */
    byCategory: boolean("by_category").notNull(),
    day: date("day").notNull(),
    accountId: id("account_id").notNull(),
    currency: text("currency").notNull(),
    /** Empty for transactions without a category and for a total of all, because a key has no nulls. */
    category: text("category").notNull(),
    /** Both are 0 once no posted transaction is left. */
    moneyIn: moneySum("money_in").notNull(),
    moneyOut: moneySum("money_out").notNull(),
  },
  (table) => [
    // No foreign key to the account: to check it costs a first sync as much as to write the totals.
    primaryKey({
      name: "bank_daily_totals_pk",
      columns: [
        table.organizationId,
        table.byCategory,
        table.day,
        table.accountId,
        table.currency,
        table.category,
      ],
    }),
  ],
);

/** Bank data that an owner has to look at: it contradicts the ledger, is missing, or cannot be read. */
export const bankQuarantine = pgTable(
  "bank_quarantine",
  {
    organizationId: id("organization_id").notNull(),
    // The default serves processes of a version that does not know the column.
    id: id("id")
      .notNull()
      .default(sql`'bqu_0' || substr(md5(gen_random_uuid()::text), 1, 25)`),
    /** Null if the bank names no account that we know. */
    accountId: id("account_id"),
    connectionId: id("connection_id").notNull(),
    externalId: id("external_id").notNull(),
    /** The row that the entry is about; null if the bank's data has none. */
    transactionId: id("transaction_id"),
    reason: text("reason", { enum: bankQuarantineReasons }).notNull(),
    /** The bank's report, as JSON; `null` if the bank omits the transaction. */
    report: text("facts").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    /** The owner's decision. It holds until the bank reports something else. */
    resolution: text("resolution", { enum: quarantineResolutions }),
    resolvedAt: instant("resolved_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    unique("bank_quarantine_key")
      .on(table.organizationId, table.accountId, table.connectionId, table.externalId, table.reason)
      .nullsNotDistinct(),
    foreignKey({
      columns: [table.organizationId, table.accountId],
      foreignColumns: [bankAccounts.organizationId, bankAccounts.id],
    }),
    index("bank_quarantine_of_transaction")
      .on(table.organizationId, table.transactionId)
      .where(sql`transaction_id IS NOT NULL`),
    index("bank_quarantine_age").on(table.lastSeenAt),
    check("bank_quarantine_reason", isOneOf("reason", bankQuarantineReasons)),
    check("bank_quarantine_resolution", isOneOf("resolution", quarantineResolutions)),
    check("bank_quarantine_resolved", sql`(resolution IS NULL) = (resolved_at IS NULL)`),
  ],
);
