import {
  cardChannels,
  cardIssuerNames,
  cardLimitIntervals,
  cardPurposes,
  cardStatuses,
  cardTransactionStatuses,
} from "@purser/core";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bankAccounts } from "./banking.ts";
import { id, instant, isOneOf, money } from "./columns.ts";
import { organizations } from "./organizations.ts";

const eventKinds = ["AUTHORIZATION", "INCREMENT", "REVERSAL", "EXPIRY", "CLEARING", "REFUND"] as const;
const counterPeriods = ["DAY", "WEEK", "MONTH"] as const;

/** What the cards of an organization may be used for. */
export const cardPolicies = pgTable(
  "card_policies",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    spendingLimit: money("spending_limit"),
    limitInterval: text("limit_interval", { enum: cardLimitIntervals }),
    allowAtm: boolean("allow_atm").notNull(),
    allowOnline: boolean("allow_online").notNull(),
    allowInternational: boolean("allow_international").notNull(),
    merchantCategories: text("merchant_categories").array().notNull(),
    blockedMerchants: text("blocked_merchants").array().notNull(),
    activeFrom: instant("active_from"),
    activeTo: instant("active_to"),
    daysOfWeek: smallint("days_of_week").array().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    check("card_policies_interval", isOneOf("limit_interval", cardLimitIntervals)),
    check("card_policies_limit", sql`spending_limit >= 0`),
    check("card_policies_active", sql`active_from < active_to`),
    check("card_policies_days", sql`days_of_week <@ '{0,1,2,3,4,5,6}'`),
  ],
);

/** A card, from the intent to have one issued on. Its full number and CVV are nowhere. */
export const cards = pgTable(
  "cards",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** A user, who may be gone: the card and what was bought with it stay on record. */
    assignedToId: id("assigned_to_id").notNull(),
    createdById: id("created_by_id").notNull(),
    fundingAccountId: id("funding_account_id").notNull(),
    policyId: id("policy_id").notNull(),
    nickname: text("nickname"),
    purpose: text("purpose", { enum: cardPurposes }).notNull(),
    status: text("status", { enum: cardStatuses }).notNull(),
    currency: text("currency").notNull(),
    /** Of its funding institution; what is bought elsewhere is international. */
    country: text("country").notNull(),
    issuer: text("issuer", { enum: cardIssuerNames }).notNull(),
    /** The issuer's id of it. Like the two below null until it is issued: before, nobody sees it. */
    issuerReference: text("issuer_reference"),
    lastFour: text("last_four"),
    expiryMonth: smallint("expiry_month"),
    expiryYear: smallint("expiry_year"),
    /**
     * Grows with whatever a decision depends on: status, policy, what the policy says, the time zone. A decision is
     * kept only under the version that it was made on.
     */
    version: integer("version").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    issuedAt: instant("issued_at"),
    closedAt: instant("closed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    foreignKey({
      columns: [table.organizationId, table.fundingAccountId],
      foreignColumns: [bankAccounts.organizationId, bankAccounts.id],
    }),
    foreignKey({
      columns: [table.organizationId, table.policyId],
      foreignColumns: [cardPolicies.organizationId, cardPolicies.id],
    }),
    // The network names a card before its organization is known.
    unique("cards_reference_key").on(table.issuer, table.issuerReference),
    index("cards_of_assignee").on(table.organizationId, table.assignedToId, table.id),
    index("cards_of_policy").on(table.organizationId, table.policyId),
    index("cards_unissued")
      .on(table.createdAt)
      .where(sql`issued_at IS NULL`),
    check("cards_status", isOneOf("status", cardStatuses)),
    check("cards_purpose", isOneOf("purpose", cardPurposes)),
    check("cards_closed", sql`(status = 'CLOSED') = (closed_at IS NOT NULL)`),
    check(
      "cards_issued",
      sql`issued_at IS NULL OR (issuer_reference IS NOT NULL AND last_four ~ '^[0-9]{4}$')`,
    ),
    check("cards_expiry", sql`expiry_month BETWEEN 1 AND 12`),
  ],
);

/** A purchase, as its events have made it. */
export const cardTransactions = pgTable(
  "card_transactions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    cardId: id("card_id").notNull(),
    /** What the network calls the authorization; null for what came without one. */
    authorizationReference: text("authorization_reference"),
    status: text("status", { enum: cardTransactionStatuses }).notNull(),
    amount: money("amount").notNull(),
    currency: text("currency").notNull(),
    merchantName: text("merchant_name").notNull(),
    merchantId: text("merchant_id"),
    merchantCategory: text("merchant_category"),
    merchantCountry: text("merchant_country"),
    channel: text("channel", { enum: cardChannels }).notNull(),
    description: text("description"),
    declineReason: text("decline_reason"),
    /** All that was ever approved, increments included. */
    authorized: money("authorized").notNull(),
    /** What is still held of it. */
    held: money("held").notNull(),
    cleared: money("cleared").notNull(),
    refunded: money("refunded").notNull(),
    /** The instant of the purchase, and its day in the organization's time zone: the windows it counts in. */
    purchasedAt: instant("purchased_at").notNull(),
    localDay: date("local_day").notNull(),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
    /** When what is held is given back; null where nothing is. */
    expiresAt: instant("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.cardId],
      foreignColumns: [cards.organizationId, cards.id],
    }),
    unique("card_transactions_authorization_key").on(
      table.organizationId,
      table.cardId,
      table.authorizationReference,
    ),
    index("card_transactions_of_card").on(table.organizationId, table.cardId, table.id),
    index("card_transactions_by_status").on(table.organizationId, table.status, table.id),
    index("card_transactions_by_category").on(table.organizationId, table.merchantCategory, table.id),
    index("card_transactions_expiring")
      .on(table.expiresAt)
      .where(sql`status = 'PENDING'`),
    check("card_transactions_status", isOneOf("status", cardTransactionStatuses)),
    check("card_transactions_channel", isOneOf("channel", cardChannels)),
    check("card_transactions_declined", sql`(status = 'DECLINED') = (decline_reason IS NOT NULL)`),
    check("card_transactions_settled", sql`(status = 'COMPLETED') = (settled_at IS NOT NULL)`),
    check("card_transactions_held", sql`held >= 0 AND (status = 'PENDING' OR held = 0)`),
    check("card_transactions_cleared", sql`cleared >= 0 AND refunded >= 0 AND authorized >= 0`),
  ],
);

/** Everything that happened to a card transaction. Append-only: a trigger refuses UPDATE and DELETE. */
export const cardEvents = pgTable(
  "card_events",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    cardId: id("card_id").notNull(),
    transactionId: id("transaction_id").notNull(),
    kind: text("kind", {
      enum: eventKinds,
    }).notNull(),
    /** The network's own id of the message; ours for what no message brought. */
    networkId: text("network_id").notNull(),
    /** What it changed, in minor units; 0 for what was refused. */
    amount: money("amount").notNull(),
    /** How far it changed what counts against the limits. */
    counted: bigint("counted", { mode: "number" }).notNull(),
    /** Of a clearing, whether it has completed the transaction; null for everything else. */
    final: boolean("final"),
    /** What an authorization or increment was decided on; of an approval that was taken back, why. */
    decision: jsonb("decision").$type<Record<string, unknown>>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.transactionId],
      foreignColumns: [cardTransactions.organizationId, cardTransactions.id],
    }),
    unique("card_events_network_key").on(table.organizationId, table.cardId, table.networkId),
    index("card_events_of_transaction").on(table.organizationId, table.transactionId, table.id),
    check("card_events_kind", isOneOf("kind", eventKinds)),
    check("card_events_final", sql`final IS NULL OR kind = 'CLEARING'`),
  ],
);

/** What counts against a card's limit in a day, a week or a month, kept whatever its policy says now. */
export const cardCounters = pgTable(
  "card_counters",
  {
    organizationId: id("organization_id").notNull(),
    cardId: id("card_id").notNull(),
    period: text("period", { enum: counterPeriods }).notNull(),
    /** Its first day, in the organization's time zone; weeks begin on Monday. */
    startsOn: date("starts_on").notNull(),
    used: money("used").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.cardId, table.period, table.startsOn] }),
    foreignKey({
      columns: [table.organizationId, table.cardId],
      foreignColumns: [cards.organizationId, cards.id],
    }),
    check("card_counters_period", isOneOf("period", counterPeriods)),
    check("card_counters_used", sql`used >= 0`),
  ],
);
