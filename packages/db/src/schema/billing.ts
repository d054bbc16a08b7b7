import { paymentProviderNames, subscriptionStatuses } from "@purser/core";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf } from "./columns.ts";
import { organizations } from "./organizations.ts";

const checkoutStatuses = ["OPEN", "COMPLETED", "SUPERSEDED", "EXPIRED"] as const;

/** Subscriptions, under the ids of their providers. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The payment provider that has the subscription; null for a manual one, which administrators maintain. */
    provider: text("provider", { enum: paymentProviderNames }),
    customerId: text("customer_id").notNull(),
    status: text("status", { enum: subscriptionStatuses }).notNull(),
    /** The provider's own status. */
    rawStatus: text("raw_status"),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    /** When the last period started that was paid. Null before the first payment. */
    paidPeriodStart: instant("paid_period_start"),
    /** Whether the current period is a trial. */
    isTrial: boolean("is_trial").notNull().default(false),
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    /** When it was last fetched from the provider, or queued to be. */
    checkedAt: instant("asked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // Webhooks and callers look a subscription up before its organization is known.
    unique("subscriptions_id_key").on(table.id),
    index("subscriptions_due")
      .on(table.currentPeriodEnd)
      .where(sql`status <> 'CANCELED'`),
    check("subscriptions_status", isOneOf("status", subscriptionStatuses)),
  ],
);

/** The plans on sale at each provider, as last read. */
export const billingCatalogs = pgTable("billing_catalogues", {
  provider: text("provider", { enum: paymentProviderNames }).primaryKey(),
  plans: jsonb("plans").$type<unknown[]>().notNull(),
  refreshedAt: instant("refreshed_at").notNull(),
});

/**
 * Subscriptions at a provider that belong to no organization. They are kept so that an operator can assign or cancel
 * the paid ones, and so that reconciliation fetches them once a day only.
 */
export const unattributedSubscriptions = pgTable(
  "billing_unattributed",
  {
    provider: text("provider", { enum: paymentProviderNames }).notNull(),
    id: id("id").notNull(),
    customerId: text("customer_id").notNull(),
    /** The provider's own status. */
    rawStatus: text("raw_status").notNull(),
    planId: text("plan_id").notNull(),
    /** Whether it is in force at the provider, so that a customer pays for it. */
    isPaid: boolean("is_paid").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    checkedAt: instant("checked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.id] })],
);

/** The customer ids of organizations at their providers. */
export const billingCustomers = pgTable(
  "billing_customers",
  {
    organizationId: id("organization_id").notNull(),
    provider: text("provider", { enum: paymentProviderNames }).notNull(),
    customerId: text("customer_id").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.provider] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
  ],
);

/** Checkouts. An organization has at most one open. */
export const billingCheckouts = pgTable(
  "billing_checkouts",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    provider: text("provider", { enum: paymentProviderNames }).notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    userId: id("user_id").notNull(),
    /** Where the browser continues afterwards. */
    redirectUrl: text("redirect_url").notNull(),
    status: text("status", { enum: checkoutStatuses }).notNull(),
    /** The provider's id and URL of the payment page; null until the provider has answered. */
    reference: text("reference"),
    url: text("url"),
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at").notNull(),
    /** When reconciliation last asked the provider about it, or was about to. */
    checkedAt: instant("checked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    uniqueIndex("billing_checkouts_one_open")
      .on(table.organizationId)
      .where(sql`status = 'OPEN'`),
    // The returning browser looks it up by id, and Paddle's page by reference, before the organization is known.
    unique("billing_checkouts_id_key").on(table.id),
    unique("billing_checkouts_reference_key").on(table.provider, table.reference),
    index("billing_checkouts_open")
      .on(table.createdAt)
      .where(sql`status = 'OPEN'`),
    check("billing_checkouts_status", isOneOf("status", checkoutStatuses)),
    check("billing_checkouts_answered", sql`(reference IS NULL) = (url IS NULL)`),
  ],
);
