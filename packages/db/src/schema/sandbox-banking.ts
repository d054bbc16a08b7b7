import { bankTransactionStatuses, bankTransactionTypes } from "@purser/core";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf } from "./columns.ts";
import { organizations } from "./organizations.ts";

const entryKinds = ["ADDED", "MODIFIED", "REMOVED"] as const;
const consentStatuses = ["AUTHORIZED", "REAUTHORIZATION_REQUIRED", "REVOKED"] as const;
const linkStatuses = ["OPEN", "APPROVED", "REFUSED"] as const;

const money = (name: string) => bigint(name, { mode: "number" });

/**
 * A customer of a sandbox institution. All data derives from the name, the seed and the log below.
 * Account numbers are derived too, and never stored.
 */
export const sandboxBankCustomers = pgTable(
  "sandbox_bank_customers",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    institutionId: text("institution_id").notNull(),
    name: text("name").notNull(),
    /** The day of the first read. The history reaches back two years from here. */
    openedOn: date("opened_on").notNull(),
    /** The last generated day; null before the first read. */
    advancedTo: date("advanced_to"),
    /** The number of the last entry in the log. */
    lastNumber: integer("last_number").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    check("sandbox_bank_customers_number", sql`last_number >= 0`),
  ],
);

/** A customer's account, by its position among the accounts that every customer of the institution has. */
export const sandboxBankAccounts = pgTable(
  "sandbox_bank_accounts",
  {
    organizationId: id("organization_id").notNull(),
    customerId: id("customer_id").notNull(),
    account: smallint("account").notNull(),
    /** The posted balance in minor units, from its owner's point of view. */
    booked: money("booked").notNull(),
    /** The sum of pending transactions. Outgoing money is negative. */
    pending: money("pending").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.customerId, table.account] }),
    foreignKey({
      columns: [table.organizationId, table.customerId],
      foreignColumns: [sandboxBankCustomers.organizationId, sandboxBankCustomers.id],
    }),
    check("sandbox_bank_accounts_account", sql`account >= 0`),
  ],
);

/**
 * The bank's change feed: every change of a transaction, numbered per customer and never altered. The last entry of a
 * transaction is its current state.
 */
export const sandboxBankEntries = pgTable(
  "sandbox_bank_entries",
  {
    organizationId: id("organization_id").notNull(),
    customerId: id("customer_id").notNull(),
    number: integer("number").notNull(),
    kind: text("kind", { enum: entryKinds }).notNull(),
    /** The transaction: the number of the entry that added it. */
    transaction: integer("transaction").notNull(),
    /** The pending transaction that this one replaced when it was posted. */
    replaces: integer("replaces"),
    account: smallint("account").notNull(),
    status: text("status", { enum: bankTransactionStatuses }).notNull(),
    amount: money("amount").notNull(),
    type: text("type", { enum: bankTransactionTypes }).notNull(),
    description: text("description").notNull(),
    category: text("category"),
    date: date("date").notNull(),
    /** The day on which the bank posts it; null if it never does so automatically. */
    settlesOn: date("settles_on"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.customerId, table.number] }),
    foreignKey({
      columns: [table.organizationId, table.customerId, table.account],
      foreignColumns: [
        sandboxBankAccounts.organizationId,
        sandboxBankAccounts.customerId,
        sandboxBankAccounts.account,
      ],
    }),
    index("sandbox_bank_entries_of_transaction").on(
      table.organizationId,
      table.customerId,
      table.transaction,
      table.number,
    ),
    index("sandbox_bank_entries_settling")
      .on(table.organizationId, table.customerId, table.settlesOn)
      .where(sql`settles_on IS NOT NULL`),
    check("sandbox_bank_entries_kind", isOneOf("kind", entryKinds)),
    check("sandbox_bank_entries_first", sql`(kind = 'ADDED') = (transaction = number)`),
    check("sandbox_bank_entries_status", isOneOf("status", bankTransactionStatuses)),
    check("sandbox_bank_entries_settling", sql`settles_on IS NULL OR status = 'PENDING'`),
    check("sandbox_bank_entries_type", isOneOf("type", bankTransactionTypes)),
    check("sandbox_bank_entries_amount", sql`amount >= 0`),
  ],
);

/** What a customer allows a team to read. */
export const sandboxBankConsents = pgTable(
  "sandbox_bank_consents",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    customerId: id("customer_id").notNull(),
    /** True if given on the consent page, whose choices are the limit; false if the caller made up the id. */
    hosted: boolean("hosted").notNull(),
    status: text("status", { enum: consentStatuses }).notNull(),
    scopes: text("scopes").array().notNull(),
    /** The chosen accounts; null for all of them. */
    accounts: smallint("accounts").array(),
    /** Its duration in days. */
    days: smallint("days").notNull(),
    /** When it expires at the bank; null if the bank sets no expiry. */
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.customerId],
      foreignColumns: [sandboxBankCustomers.organizationId, sandboxBankCustomers.id],
    }),
    check("sandbox_bank_consents_status", isOneOf("status", consentStatuses)),
    check("sandbox_bank_consents_days", sql`days > 0`),
    check("sandbox_bank_consents_end", sql`NOT hosted OR expires_at IS NOT NULL`),
  ],
);

/** A fault of a customer's bank, until it is cleared or used up. */
export const sandboxBankFaults = pgTable(
  "sandbox_bank_faults",
  {
    organizationId: id("organization_id").notNull(),
    customerId: id("customer_id").notNull(),
    fault: text("fault").notNull(),
    /** How often it will still happen. 0 is used up; null lasts until it is cleared. */
    times: integer("times"),
    retryAfterSeconds: integer("retry_after_seconds"),
    milliseconds: integer("milliseconds"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.customerId, table.fault] }),
    foreignKey({
      columns: [table.organizationId, table.customerId],
      foreignColumns: [sandboxBankCustomers.organizationId, sandboxBankCustomers.id],
    }),
    check("sandbox_bank_faults_times", sql`times >= 0`),
  ],
);

/** A consent page for a user of a team. */
export const sandboxBankLinks = pgTable(
  "sandbox_bank_links",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    institutionId: text("institution_id").notNull(),
    /** The customer who has to sign in, if a consent is renewed; null for any customer. */
    customerName: text("customer_name"),
    returnUrl: text("return_url").notNull(),
    status: text("status", { enum: linkStatuses }).notNull(),
    /** The consent that it produced. */
    consentId: id("consent_id"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    foreignKey({
      columns: [table.organizationId, table.consentId],
      foreignColumns: [sandboxBankConsents.organizationId, sandboxBankConsents.id],
    }),
    // The browser comes to the page with only the id.
    unique("sandbox_bank_links_id_key").on(table.id),
    index("sandbox_bank_links_age").on(table.expiresAt),
    check("sandbox_bank_links_status", isOneOf("status", linkStatuses)),
    check("sandbox_bank_links_approved", sql`(status = 'APPROVED') = (consent_id IS NOT NULL)`),
  ],
);
