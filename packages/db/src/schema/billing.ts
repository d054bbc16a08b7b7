import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";
import { organizations } from "./organizations.ts";

export const subscriptions = pgTable(
  "subscriptions",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The payment provider that knows this record; null for a manual one, which an administrator keeps. */
    provider: text("provider"),
    customerId: text("customer_id").notNull(),
    status: text("status", { enum: ["ACTIVE", "CANCELED", "PAST_DUE", "UNPAID", "INCOMPLETE"] }).notNull(),
    planId: text("plan_id").notNull(),
    variantId: text("variant_id").notNull(),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    unique("subscriptions_id_key").on(table.id),
    check("subscriptions_status", sql`status IN ('ACTIVE', 'CANCELED', 'PAST_DUE', 'UNPAID', 'INCOMPLETE')`),
  ],
);
