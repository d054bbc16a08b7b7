import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf, money } from "./columns.ts";
import { organizations } from "./organizations.ts";

export const sandboxSubscriptionStatuses = [
  "incomplete",
  "trialing",
  "active",
  "past_due",
  "unpaid",
  "canceled",
] as const;
export const sandboxCardBehaviors = ["succeeds", "fails", "authenticates"] as const;
export const sandboxInvoiceStatuses = ["open", "paid", "uncollectible"] as const;

/** Subscriptions at the built-in payment provider, each with its test card. */
export const sandboxSubscriptions = pgTable(
  "local_subscriptions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    status: text("status", { enum: sandboxSubscriptionStatuses }).notNull(),
    /** All periods begin on this instant's day of the month. */
    anchor: instant("anchor").notNull(),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    /** When the cancellation was requested. */
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    endedAt: instant("ended_at"),
    /** The subscription's own clock: every event up to here is applied. It may be ahead of the service's clock. */
    presentAt: instant("present_at").notNull(),
    /** When the next event is due; null once the subscription has ended. */
    dueAt: instant("due_at"),
    cardBehavior: text("card_behavior", { enum: sandboxCardBehaviors }).notNull(),
    cardBrand: text("card_brand").notNull(),
    cardLastFour: text("card_last_four").notNull(),
    cardExpiryMonth: smallint("card_expiry_month").notNull(),
    cardExpiryYear: smallint("card_expiry_year").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // The payment provider's port looks a subscription up by id alone.
    unique("local_subscriptions_id_key").on(table.id),
    index("local_subscriptions_due").on(table.dueAt),
    check("local_subscriptions_status", isOneOf("status", sandboxSubscriptionStatuses)),
    check("local_subscriptions_period", sql`current_period_start < current_period_end`),
    check("local_subscriptions_ended", sql`(status = 'canceled') = (ended_at IS NOT NULL)`),
    check("local_subscriptions_due", sql`(status = 'canceled') = (due_at IS NULL)`),
    check("local_subscriptions_card", isOneOf("card_behavior", sandboxCardBehaviors)),
    check("local_subscriptions_card_last_four", sql`card_last_four ~ '^[0-9]{4}$'`),
    check("local_subscriptions_card_expiry", sql`card_expiry_month BETWEEN 1 AND 12`),
  ],
);

/** The invoices of a subscription, one per period, numbered from 1. */
export const sandboxInvoices = pgTable(
  "local_invoices",
  {
    organizationId: id("organization_id").notNull(),
    subscriptionId: id("subscription_id").notNull(),
    number: integer("number").notNull(),
    status: text("status", { enum: sandboxInvoiceStatuses }).notNull(),
    amount: money("amount").notNull(),
    currency: text("currency").notNull(),
    periodStart: instant("period_start").notNull(),
    periodEnd: instant("period_end").notNull(),
    /** How often charging the card was attempted. */
    attempts: smallint("attempts").notNull(),
    nextAttemptAt: instant("next_attempt_at"),
    createdAt: instant("created_at").notNull(),
    paidAt: instant("paid_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.subscriptionId, table.number] }),
    foreignKey({
      columns: [table.organizationId, table.subscriptionId],
      foreignColumns: [sandboxSubscriptions.organizationId, sandboxSubscriptions.id],
    }),
    uniqueIndex("local_invoices_one_open")
      .on(table.organizationId, table.subscriptionId)
      .where(sql`status = 'open'`),
    check("local_invoices_number", sql`number > 0`),
    check("local_invoices_status", isOneOf("status", sandboxInvoiceStatuses)),
    check("local_invoices_paid", sql`(status = 'paid') = (paid_at IS NOT NULL)`),
    check("local_invoices_retried", sql`next_attempt_at IS NULL OR status = 'open'`),
    check("local_invoices_amount", sql`amount >= 0 AND attempts >= 0`),
  ],
);

/** Payment pages of the built-in payment provider. */
export const sandboxCheckouts = pgTable(
  "local_checkouts",
  {
    organizationId: id("organization_id").notNull(),
    /** The id of the request, `chk_…`. */
    id: id("id").notNull(),
    /** The unguessable part of the page's URL. */
    reference: text("reference").notNull(),
    email: text("email").notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    returnUrl: text("return_url").notNull(),
    /** The subscription that the checkout produced. */
    subscriptionId: id("subscription_id"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    foreignKey({
      columns: [table.organizationId, table.subscriptionId],
      foreignColumns: [sandboxSubscriptions.organizationId, sandboxSubscriptions.id],
    }),
    // The page's URL holds nothing else.
    unique("local_checkouts_reference_key").on(table.reference),
    index("local_checkouts_unused")
      .on(table.expiresAt)
      .where(sql`subscription_id IS NULL`),
  ],
);

/** Sessions of the customer portal. */
export const sandboxPortals = pgTable(
  "local_portals",
  {
    organizationId: id("organization_id").notNull(),
    /** The SHA-256 of the token in the URL. */
    tokenHash: text("token_hash").notNull(),
    subscriptionId: id("subscription_id").notNull(),
    returnUrl: text("return_url").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.tokenHash] }),
    foreignKey({
      columns: [table.organizationId, table.subscriptionId],
      foreignColumns: [sandboxSubscriptions.organizationId, sandboxSubscriptions.id],
    }),
    // The page's URL holds nothing else.
    unique("local_portals_token_key").on(table.tokenHash),
    index("local_portals_age").on(table.expiresAt),
  ],
);
