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
import { id, instant, money } from "./columns.ts";
import { organizations } from "./organizations.ts";

/** A subscription as the built-in payment provider has it, and the test card that it is paid with. */
export const sandboxSubscriptions = pgTable(
  "local_subscriptions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    status: text("status", {
      enum: ["incomplete", "trialing", "active", "past_due", "unpaid", "canceled"],
    }).notNull(),
    /** The instant whose day of the month all periods begin on. */
    anchor: instant("anchor").notNull(),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    /** When the cancellation was asked for. */
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    endedAt: instant("ended_at"),
    /** Up to here everything has happened. Its clock can be moved, so this may be ahead of everybody else's. */
    presentAt: instant("present_at").notNull(),
    /** When something happens next by itself; null once it has ended. */
    dueAt: instant("due_at"),
    cardBehavior: text("card_behavior", { enum: ["succeeds", "fails", "authenticates"] }).notNull(),
    cardBrand: text("card_brand").notNull(),
    cardLastFour: text("card_last_four").notNull(),
    cardExpiryMonth: smallint("card_expiry_month").notNull(),
    cardExpiryYear: smallint("card_expiry_year").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // Whoever asks the provider names the subscription alone.
    unique("local_subscriptions_id_key").on(table.id),
    index("local_subscriptions_due").on(table.dueAt),
    check(
      "local_subscriptions_status",
      sql`status IN ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled')`,
    ),
    check("local_subscriptions_period", sql`current_period_start < current_period_end`),
    check("local_subscriptions_ended", sql`(status = 'canceled') = (ended_at IS NOT NULL)`),
    check("local_subscriptions_due", sql`(status = 'canceled') = (due_at IS NULL)`),
    check("local_subscriptions_card", sql`card_behavior IN ('succeeds', 'fails', 'authenticates')`),
    check("local_subscriptions_card_last_four", sql`card_last_four ~ '^[0-9]{4}$'`),
    check("local_subscriptions_card_expiry", sql`card_expiry_month BETWEEN 1 AND 12`),
  ],
);

/** What a subscription is to be paid for, one period after the other, numbered from 1. */
export const sandboxInvoices = pgTable(
  "local_invoices",
  {
    organizationId: id("organization_id").notNull(),
    subscriptionId: id("subscription_id").notNull(),
    number: integer("number").notNull(),
    status: text("status", { enum: ["open", "paid", "uncollectible"] }).notNull(),
    amount: money("amount").notNull(),
    currency: text("currency").notNull(),
    periodStart: instant("period_start").notNull(),
    periodEnd: instant("period_end").notNull(),
    /** How often the card was charged. */
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
    check("local_invoices_status", sql`status IN ('open', 'paid', 'uncollectible')`),
    check("local_invoices_paid", sql`(status = 'paid') = (paid_at IS NOT NULL)`),
    check("local_invoices_retried", sql`next_attempt_at IS NULL OR status = 'open'`),
    check("local_invoices_amount", sql`amount >= 0 AND attempts >= 0`),
  ],
);

/** A page of the built-in payment provider on which somebody pays. */
export const sandboxCheckouts = pgTable(
  "local_checkouts",
  {
    organizationId: id("organization_id").notNull(),
    /** The id under which it was asked for. */
    id: id("id").notNull(),
    /** What the page is reached by; nobody can guess it. */
    reference: text("reference").notNull(),
    email: text("email").notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    returnUrl: text("return_url").notNull(),
    /** The subscription that it has brought. */
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
    // The person comes to the page with nothing else.
    unique("local_checkouts_reference_key").on(table.reference),
    index("local_checkouts_unused")
      .on(table.expiresAt)
      .where(sql`subscription_id IS NULL`),
  ],
);

/** A way into the customer portal of a subscription. */
export const sandboxPortals = pgTable(
  "local_portals",
  {
    organizationId: id("organization_id").notNull(),
    /** The SHA-256 of what the address carries. */
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
    // The person comes to the page with nothing else.
    unique("local_portals_token_key").on(table.tokenHash),
    index("local_portals_age").on(table.expiresAt),
  ],
);
