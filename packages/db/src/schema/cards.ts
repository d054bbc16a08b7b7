import {
  type LimitInterval,
  cardChannels,
  type cardDecisionOutcomes,
  cardIssuerNames,
  cardPurposes,
  cardStatuses,
  cardTransactionStatuses,
  spendingLimitIntervals,
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
import { id, instant, isOneOf, money, sealed } from "./columns.ts";
import { organizations } from "./organizations.ts";

const ledgerEntryKinds = [
  "AUTHORIZATION",
  "INCREMENT",
  "REVERSAL",
  "EXPIRY",
  "CLEARING",
  "REFUND",
  "DISPUTE_CREDIT",
  "DISPUTE_DEBIT",
] as const;
const counterPeriods = ["DAY", "WEEK", "MONTH"] as const;

/** The rules for spending with an organization's cards. */
export const cardPolicies = pgTable(
  "card_policies",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    spendingLimit: money("spending_limit"),
    limitInterval: text("limit_interval", { enum: spendingLimitIntervals }),
    /** The limits other than `spendingLimit`, in order, and a first one of a year or of all time, which it cannot show. */
    furtherLimits: jsonb("further_limits")
      .$type<{ amount: number; interval: LimitInterval }[]>()
      .notNull()
      .default([]),
    allowAtm: boolean("allow_atm").notNull(),
    allowOnline: boolean("allow_online").notNull(),
    allowInternational: boolean("allow_international").notNull(),
    merchantCategories: text("merchant_categories").array().notNull(),
    blockedMerchantCategories: text("blocked_merchant_categories").array().notNull().default([]),
    blockedMerchants: text("blocked_merchants").array().notNull(),
    allowedMerchants: text("allowed_merchants").array().notNull().default([]),
    activeFrom: instant("active_from"),
    activeTo: instant("active_to"),
    daysOfWeek: smallint("days_of_week").array().notNull(),
    /** Increases with every change that a decision depends on, like that of a card. */
    version: integer("version").notNull().default(0),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    check("card_policies_interval", isOneOf("limit_interval", spendingLimitIntervals)),
    check("card_policies_limit", sql`spending_limit >= 0`),
    check("card_policies_further_limits", sql`jsonb_typeof(further_limits) = 'array'`),
    check("card_policies_active", sql`active_from < active_to`),
    check("card_policies_days", sql`days_of_week <@ '{0,1,2,3,4,5,6}'`),
  ],
);

/** A card. The row exists before the issuer issues the card. Its full number and CVV are never stored. */
export const cards = pgTable(
  "cards",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The cardholder. If the user is deleted, the card and its transactions remain. */
    assignedToId: id("assigned_to_id").notNull(),
    /** Since when this member is the cardholder; null since the card exists. */
    assignedAt: instant("assigned_at"),
    /** The first cardholder, set when the card first passes to another one; null until then. */
    firstHolderId: id("first_holder_id"),
    createdById: id("created_by_id").notNull(),
    fundingAccountId: id("funding_account_id").notNull(),
    policyId: id("policy_id").notNull(),
    nickname: text("nickname"),
    purpose: text("purpose", { enum: cardPurposes }).notNull(),
    status: text("status", { enum: cardStatuses }).notNull(),
    currency: text("currency").notNull(),
    /** The country of its funding institution, or `unknownCountry`. Purchases elsewhere are international. */
    country: text("country").notNull(),
    issuer: text("issuer", { enum: cardIssuerNames }).notNull(),
    /** The issuer's id. This and the next two columns are null until the card is issued. Until then no list shows it. */
    issuerReference: text("issuer_reference"),
    lastFour: text("last_four"),
    expiryMonth: smallint("expiry_month"),
    expiryYear: smallint("expiry_year"),
    /**
     * The calendar of its counters: the organization's time zone, or the former one until a job has recounted the card.
     */
    timeZone: text("time_zone").notNull(),
    /**
     * Increases with every change that a decision depends on: status, choice of policy, the time zone. A decision is
     * stored only if this version and that of the policy are still the ones that it was made on.
     */
    version: integer("version").notNull().default(0),
    /**
     * Increases with every change of its counters, except by decisions under a policy with at most one limit for a day,
     * week or month. Decisions under any other policy are stored only if it is still the one that they were made on.
     */
    countersVersion: integer("counters_version").notNull().default(0),
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
    // The network's requests name a card before its organization is known.
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

/** What issuers require to know about a person who holds cards of an organization. Erased when the person leaves it. */
export const cardholders = pgTable(
  "cardholders",
  {
    organizationId: id("organization_id").notNull(),
    userId: id("user_id").notNull(),
    /** The details as JSON. */
    details: sealed("details").notNull(),
    /** Increases with every change, so that the last one reaches the issuers. */
    version: integer("version").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
  ],
);

/** A purchase: the current state that its ledger entries add up to. */
export const cardTransactions = pgTable(
  "card_transactions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    cardId: id("card_id").notNull(),
    /** The cardholder at the time of the purchase; null for the card's first holder, "former" for an earlier one. */
    holderId: id("holder_id"),
    /** The network's id of the authorization; null if there was none. */
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
    /** The total that the merchant requested, if it accepts less; otherwise null. Older versions leave it null. */
    requested: money("requested"),
    /** The total ever approved, including increments. */
    authorized: money("authorized").notNull(),
    /** The part that is still held. */
    held: money("held").notNull(),
    cleared: money("cleared").notNull(),
    refunded: money("refunded").notNull(),
    /** The instant of the purchase, and its day in the card's time zone, which selects its windows. */
    purchasedAt: instant("purchased_at").notNull(),
    localDay: date("local_day").notNull(),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
    /** When the hold expires; null if nothing is held. */
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
    // A backtest replays purchases in this order.
    index("card_transactions_purchased").on(table.organizationId, table.purchasedAt, table.id),
    // Only the transactions of cards that passed to another holder.
    index("card_transactions_of_holder")
      .on(table.organizationId, table.holderId, table.id)
      .where(sql`holder_id IS NOT NULL`),
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

/** A decision as the ledger stores it, with its basis. Instants are text where it was read from JSON. */
export interface StoredCardDecision {
  outcome: (typeof cardDecisionOutcomes)[number];
  reason: string | null;
  /** Absent, like `approvedAmount`, in decisions of the network and of older versions. */
  requestedAmount?: number;
  approvedAmount?: number;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | string | null;
  interval: LimitInterval | null;
  decidedAt: Date | string;
  /** The request's, see `HoldRequest` of cards. */
  exactId?: string | undefined;
  receivedAt?: Date | string | undefined;
}

/** The ledger of card transactions. Append-only: a trigger refuses UPDATE and DELETE. */
export const cardLedgerEntries = pgTable(
  "card_events",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    cardId: id("card_id").notNull(),
    transactionId: id("transaction_id").notNull(),
    kind: text("kind", { enum: ledgerEntryKinds }).notNull(),
    /** The network's id of the message; our own id if no message caused the entry. */
    networkId: text("network_id").notNull(),
    /** The amount of the message in minor units. Of a request it may be more than was approved, see `counted`. */
    amount: money("amount").notNull(),
    /** The change to the amount that counts against the limits. */
    counted: bigint("counted", { mode: "number" }).notNull(),
    /** For a clearing, whether it completed the transaction; null for all other entries. */
    final: boolean("final"),
    /** For an authorization or increment, the inputs of the decision. For a withdrawn approval, the reason. */
    decision: jsonb("decision").$type<StoredCardDecision>(),
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
    check("card_events_kind", isOneOf("kind", ledgerEntryKinds)),
    check("card_events_final", sql`final IS NULL OR kind = 'CLEARING'`),
  ],
);

/**
 * The spending of a card in a day, week or month. It counts in all windows, even those without a limit at present. What
 * counts in a year, or in all time, is the sum of its months.
 */
export const cardCounters = pgTable(
  "card_counters",
  {
    organizationId: id("organization_id").notNull(),
    cardId: id("card_id").notNull(),
    period: text("period", { enum: counterPeriods }).notNull(),
    /** The first day of the window in the card's time zone. Weeks start on Monday. */
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
