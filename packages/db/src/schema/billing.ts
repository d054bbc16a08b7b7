import { paymentProviderNames } from "@purser/core";
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
import { id, instant } from "./columns.ts";
import { organizations } from "./organizations.ts";

/** A subscription under the id that its provider gave it. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The payment provider that knows this record; null for a manual one, which an administrator keeps. */
    provider: text("provider", { enum: paymentProviderNames }),
    customerId: text("customer_id").notNull(),
    status: text("status", { enum: ["ACTIVE", "CANCELED", "PAST_DUE", "UNPAID", "INCOMPLETE"] }).notNull(),
    /** The provider's own word for its status. */
    rawStatus: text("raw_status"),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    /** When the provider was last asked for it. */
    checkedAt: instant("asked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // Webhooks and callers name a subscription before its organization is known.
    unique("subscriptions_id_key").on(table.id),
    index("subscriptions_due")
      .on(table.currentPeriodEnd)
      .where(sql`status <> 'CANCELED'`),
    check("subscriptions_status", sql`status IN ('ACTIVE', 'CANCELED', 'PAST_DUE', 'UNPAID', 'INCOMPLETE')`),
  ],
);

/** What a provider has on sale, as it was last read. */
export const billingCatalogues = pgTable("billing_catalogues", {
  provider: text("provider", { enum: paymentProviderNames }).primaryKey(),
  plans: jsonb("plans").$type<unknown[]>().notNull(),
  refreshedAt: instant("refreshed_at").notNull(),
});

/** Under which id a provider knows a team. */
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

/** A way to a subscription that somebody has set out on. At most one of a team is open. */
export const billingCheckouts = pgTable(
  "billing_checkouts",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    provider: text("provider", { enum: paymentProviderNames }).notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    userId: id("user_id").notNull(),
    /** Where the person goes on afterwards. */
    redirectUrl: text("redirect_url").notNull(),
    status: text("status", { enum: ["OPEN", "COMPLETED", "SUPERSEDED", "EXPIRED"] }).notNull(),
    /** The provider's id and address of it; null until it has answered. */
    reference: text("reference"),
    url: text("url"),
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    uniqueIndex("billing_checkouts_one_open")
      .on(table.organizationId)
      .where(sql`status = 'OPEN'`),
    // The person who comes back names the checkout, and Paddle's page its reference, before the team is known.
    unique("billing_checkouts_id_key").on(table.id),
    unique("billing_checkouts_reference_key").on(table.provider, table.reference),
    index("billing_checkouts_open")
      .on(table.createdAt)
      .where(sql`status = 'OPEN'`),
    check("billing_checkouts_status", sql`status IN ('OPEN', 'COMPLETED', 'SUPERSEDED', 'EXPIRED')`),
    check("billing_checkouts_answered", sql`(reference IS NULL) = (url IS NULL)`),
  ],
);
