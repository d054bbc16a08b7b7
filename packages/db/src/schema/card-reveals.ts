import { foreignKey, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { cards } from "./cards.ts";
import { id, instant } from "./columns.ts";

/** Links that show the number of a card, once each. The secret in a link is stored as a hash. */
export const cardReveals = pgTable(
  "card_reveals",
  {
    organizationId: id("organization_id").notNull(),
    /** The hash of the link's secret. */
    hash: text("hash").notNull(),
    cardId: id("card_id").notNull(),
    /** The cardholder who requested the link. */
    userId: id("user_id").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** When the link was used up; null until then. */
    openedAt: instant("opened_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.hash] }),
    foreignKey({
      columns: [table.organizationId, table.cardId],
      foreignColumns: [cards.organizationId, cards.id],
    }),
    index("card_reveals_expiry").on(table.expiresAt),
  ],
);
