import {
  Amount,
  Id,
  cardSpendingGroups,
  explained,
  explainedValues,
  isRange,
  notARange,
  reportRange,
  sharedFields,
} from "@purser/core";
import { z } from "zod";

export const ReportSpending = z
  .strictObject({
    organizationId: Id.meta(sharedFields.organizationId),
    ...reportRange,
    groupBy: z.enum(cardSpendingGroups).meta(
      explainedValues(cardSpendingGroups, "What the items of the report are.", {
        card: "an item is a card.",
        merchant: "an item is a merchant.",
        category: "an item is a merchant category.",
        day: "an item is a day.",
      }),
    ),
  })
  .refine(isRange, notARange);

export const CardSpendingItem = z
  .object({
    currency: z.string().meta(explained("The currency of the amounts: ISO 4217, upper case.", "GBP")),
    key: z
      .string()
      .nullable()
      .meta(
        explained(
          "What the item is: the card's id, the merchant's id or, without one, name, the merchant category, or the day as `YYYY-MM-DD`. Null for purchases without a category.",
          "174030075991",
        ),
      ),
    label: z
      .string()
      .meta(
        explained(
          "The key for people: the card's nickname or last four digits, the merchant's name, the category or the day. Empty for no category.",
          "Restaurant De Haven",
        ),
      ),
    approved: z
      .int()
      .meta(
        explained(
          "What is held and cleared, less refunds and money back from disputes, in minor units. Reversed and expired holds are not in it. Negative if more came back.",
          18_600,
        ),
      ),
    declined: Amount.meta(explained("The sum of the amounts that were refused, in minor units.", 9900)),
    count: z.int().meta(explained("The number of approved purchases that are not reversed or expired.", 3)),
    declinedCount: z.int().meta(explained("The number of refused purchases.", 1)),
  })
  .meta({
    id: "CardSpendingItem",
    description:
      "What was spent with cards in one currency, by card, merchant, category or day. Days on which nothing was spent have zeros.",
  });
