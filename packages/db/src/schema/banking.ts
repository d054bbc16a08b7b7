import {
  bankAccountTypes,
  bankConnectionStatuses,
  bankConsentStatuses,
  bankProviderNames,
} from "@purser/core";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf, money, sealed } from "./columns.ts";
import { organizations } from "./organizations.ts";

/** A team's link to one bank at one provider. */
export const bankConnections = pgTable(
  "bank_connections",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    provider: text("provider", { enum: bankProviderNames }).notNull(),
    institutionId: text("institution_id").notNull(),
    institutionName: text("institution_name").notNull(),
    institutionCountry: text("institution_country").notNull(),
    status: text("status", { enum: bankConnectionStatuses }).notNull(),
    metadata: jsonb("metadata").$type<Record<string, unknown>>().notNull(),
    /** The cursor for the next sync. Saved in the same transaction as the rows before it. */
    cursor: text("cursor"),
    /** What the user has to fix before the connection can sync again; null if nothing. */
    needsReauthorization: text("attention", { enum: ["REAUTHORIZATION_REQUIRED"] }),
    /**
     * Whether the bank has yet to add earlier days: its change feed began with the newest, or it refused earlier ones because the
     * person was not present.
     */
    isBackfilling: boolean("backfilling").notNull().default(false),
    /** The end of the last successful sync. */
    syncedAt: instant("synced_at"),
    /** When the bank was last read for what that sync brought, by the provider or by the sync; null if it is not known. */
    bankReadAt: instant("bank_read_at"),
    /**
     * The end of the last successful sync, if that sync kept the daily totals. A version of the service that does not know
     * them leaves it behind.
     */
    totaledAt: instant("totaled_at"),
    /** When the next scheduled sync is due, or the check of a consent that needs the user; null for never. */
    nextSyncAt: instant("next_sync_at"),
    /** Failed syncs since the last successful one. */
    failures: integer("failures").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    disconnectedAt: instant("disconnected_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    index("bank_connections_due")
      .on(table.nextSyncAt)
      .where(sql`next_sync_at IS NOT NULL`),
    check("bank_connections_status", isOneOf("status", bankConnectionStatuses)),
    check("bank_connections_disconnected", sql`(status = 'DISCONNECTED') = (disconnected_at IS NOT NULL)`),
  ],
);

/** A consent that a user gave at the bank. A connection uses its newest consent. */
export const bankConsents = pgTable(
  "bank_consents",
  {
    organizationId: id("organization_id").notNull(),
    connectionId: id("connection_id").notNull(),
    /** The provider's id. */
    id: id("id").notNull(),
    provider: text("provider", { enum: bankProviderNames }).notNull(),
    /** Keyed hash of the consent that the caller passed. It may be a single-use secret. */
    referenceHash: text("reference_hash").notNull(),
    token: sealed("token"),
    status: text("status", { enum: bankConsentStatuses }).notNull(),
    scopes: text("scopes").array().notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The largest scopes that the bank has granted; null if it sets no limit. */
    grantedScopes: text("granted_scopes").array(),
    grantedUntil: instant("granted_until"),
    /** By when the user should confirm the consent again; null if the bank requires none. Reading continues after it. */
    reconfirmBy: instant("reconfirm_by"),
    /** When the provider expects to disconnect it, as it warned; null without a warning. */
    disconnectAt: instant("disconnect_at"),
    revokedAt: instant("revoked_at"),
    /** The last reminder to the owners, as the number of days left; null before the first one. */
    remindedDays: smallint("reminded_days"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.connectionId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.connectionId],
      foreignColumns: [bankConnections.organizationId, bankConnections.id],
    }),
    unique("bank_consents_id_key").on(table.organizationId, table.provider, table.id),
    unique("bank_consents_reference_key").on(table.organizationId, table.provider, table.referenceHash),
    // A webhook names a consent before its organization is known.
    index("bank_consents_at_provider").on(table.provider, table.id),
    index("bank_consents_deadline")
      .on(sql`least(expires_at, reconfirm_by, disconnect_at)`)
      .where(sql`status = 'AUTHORIZED'`),
    check("bank_consents_status", isOneOf("status", bankConsentStatuses)),
    check("bank_consents_revoked", sql`(status = 'REVOKED') = (revoked_at IS NOT NULL)`),
    check("bank_consents_erased", sql`status = 'AUTHORIZED' OR token IS NULL`),
  ],
);

/** An account. It stays the same however often and under whichever consent it is linked. */
export const bankAccounts = pgTable(
  "bank_accounts",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The connection that owns it now. */
    connectionId: id("connection_id").notNull(),
    name: text("name").notNull(),
    accountNumber: sealed("account_number"),
    sortCode: text("sort_code"),
    /** How often the account was linked again. Its bank then uses new ids for all its transactions. */
    idEpoch: integer("id_epoch").notNull().default(0),
    /** All of the bank's identifiers of the account, as JSON. */
    identifiers: sealed("identifiers").notNull(),
    /** Keyed hashes of the identifiers, used to recognize the account under another consent. */
    identityHashes: text("identity_hashes").array().notNull(),
    currency: text("currency").notNull(),
    type: text("type", { enum: bankAccountTypes }).notNull(),
    balance: money("balance").notNull(),
    availableBalance: money("available_balance"),
    /** Whether the balance is of the reading that brought the latest transactions, so that earlier balances follow from both. */
    isBalanceCurrent: boolean("balance_current").notNull().default(true),
    /** The number of its listed transactions. Syncs maintain it, so no read has to count. */
    transactionCount: integer("transaction_count").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.connectionId],
      foreignColumns: [bankConnections.organizationId, bankConnections.id],
    }),
    index("bank_accounts_of_connection").on(table.organizationId, table.connectionId),
    check("bank_accounts_type", isOneOf("type", bankAccountTypes)),
    check("bank_accounts_count", sql`transaction_count >= 0`),
  ],
);

/** The bank's id of an account under a connection. */
export const bankAccountSources = pgTable(
  "bank_account_sources",
  {
    organizationId: id("organization_id").notNull(),
    connectionId: id("connection_id").notNull(),
    externalId: id("external_id").notNull(),
    accountId: id("account_id").notNull(),
    /** Since when another source replaced this one, or the bank did not list the account; null while this one is current. */
    supersededAt: instant("superseded_at"),
    /** Whether the connection has yet to read the account's transactions from their beginning. */
    isUnread: boolean("unread").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.connectionId, table.externalId] }),
    foreignKey({
      columns: [table.organizationId, table.connectionId],
      foreignColumns: [bankConnections.organizationId, bankConnections.id],
    }),
    foreignKey({
      columns: [table.organizationId, table.accountId],
      foreignColumns: [bankAccounts.organizationId, bankAccounts.id],
    }),
    // One connection owns an account at a time. Otherwise its money would count twice.
    uniqueIndex("bank_account_sources_current")
      .on(table.organizationId, table.accountId)
      .where(sql`superseded_at IS NULL`),
  ],
);

/** A hosted page on which a user gives or renews a consent for a team. */
export const bankLinks = pgTable(
  "bank_links",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    provider: text("provider", { enum: bankProviderNames }).notNull(),
    /** The requested institution; null if the user chooses one at the provider. */
    institutionId: text("institution_id"),
    userId: id("user_id").notNull(),
    /** The connection whose consent it renews; null for a new one. */
    connectionId: id("connection_id"),
    /** Where the browser continues afterwards. */
    redirectUrl: text("redirect_url").notNull(),
    /** The state that the provider needs to complete it. */
    state: sealed("state").notNull(),
    /** Keyed hash of the state. A webhook names a link by its state. */
    stateHash: text("state_hash"),
    /** When the provider reported that the user finished it; null before, and after it was processed. */
    finishedAt: instant("finished_at"),
    /** Keyed hash of the consent that it produced. */
    referenceHash: text("reference_hash"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // The browser returns from the bank with only the id.
    unique("bank_links_id_key").on(table.id),
    index("bank_links_at_provider").on(table.provider, table.stateHash),
    index("bank_links_finished")
      .on(table.finishedAt)
      .where(sql`finished_at IS NOT NULL`),
    index("bank_links_age").on(table.expiresAt),
  ],
);

/** The result of exchanging a single-use secret for a consent, until a connection uses the consent. */
export const bankExchanges = pgTable(
  "bank_exchanges",
  {
    organizationId: id("organization_id").notNull(),
    provider: text("provider", { enum: bankProviderNames }).notNull(),
    /** Keyed hash of the secret. */
    referenceHash: text("reference_hash").notNull(),
    /** The institution that the caller named. The consent may belong to another. */
    institutionId: text("institution_id").notNull(),
    consentId: id("consent_id").notNull(),
    token: sealed("token").notNull(),
    exchangedAt: instant("exchanged_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.provider, table.referenceHash] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    index("bank_exchanges_age").on(table.exchangedAt),
  ],
);
