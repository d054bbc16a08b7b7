import { cardSpendingGroups } from "@purser/core";
import { boolean, check, date, foreignKey, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, isOneOf, moneySum } from "./columns.ts";
import { organizations } from "./organizations.ts";

/**
 * What was spent with an organization's cards, by card, merchant, category or day: sums of transactions that are final. The
 * days of {@link cardSpendingRollups} have totals, and their whole months too.
 */
export const cardSpendingTotals = pgTable(
  "card_spending_totals",
  {
    organizationId: id("organization_id").notNull(),
    groupBy: text("group_by", { enum: cardSpendingGroups }).notNull(),
    /** Whether it is the total of a month. */
    monthly: boolean("monthly").notNull(),
    startsOn: date("starts_on").notNull(),
    currency: text("currency").notNull(),
    /** The card, merchant, category (empty for none) or day. */
    key: id("key").notNull(),
    /** The merchant's name, otherwise empty. */
    label: text("label").notNull(),
    approved: moneySum("approved").notNull(),
    declined: moneySum("declined").notNull(),
    count: integer("count").notNull(),
    declinedCount: integer("declined_count").notNull(),
  },
  (table) => [
    primaryKey({
      name: "card_spending_totals_pk",
      columns: [
        table.organizationId,
        table.groupBy,
        table.monthly,
        table.startsOn,
        table.currency,
        table.key,
      ],
    }),
    check("card_spending_totals_group_by", isOneOf("group_by", cardSpendingGroups)),
  ],
);

/** Until which day the card transactions of an organization are in its totals. */
export const cardSpendingRollups = pgTable(
  "card_spending_folds",
  {
    organizationId: id("organization_id").notNull(),
    /** The time zone of the days. */
    timeZone: text("time_zone").notNull(),
    /** The last day with totals; null for none yet. Every earlier day of the organization has them too. */
    rolledUpUntil: date("folded_until"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
  ],
);
