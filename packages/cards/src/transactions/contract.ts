import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  cardChannels,
  cardDecisionOutcomes,
  cardLimitIntervals,
  cardTransactionOrigins,
  cardTransactionStatuses,
  page,
  text,
} from "@purser/core";
import { z } from "zod";

const CardTransactionStatus = z.enum(cardTransactionStatuses).meta({ id: "CardTransactionStatus" });

export const CardTransaction = z
  .object({
    id: z.string(),
    cardId: z.string(),
    amount: z.int(),
    currency: z.string(),
    merchantName: z.string(),
    merchantId: z.string().nullable(),
    merchantCategory: z.string().nullable(),
    description: z.string().nullable(),
    status: CardTransactionStatus,
    declineReason: z.string().nullable(),
    createdAt: z.date(),
    settledAt: z.date().nullable(),
  })
  .meta({ id: "CardTransaction" });

export const ListCardTransactions = z
  .strictObject({
    organizationId: Id,
    cardId: Id.optional(),
    status: CardTransactionStatus.optional(),
    from: Instant.optional(),
    to: InstantUntil.optional(),
    merchantCategory: text(255).optional(),
    minAmount: Amount.optional(),
    maxAmount: Amount.optional(),
    ...page("ctx"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" })
  .refine(
    ({ minAmount, maxAmount }) =>
      minAmount === undefined || maxAmount === undefined || minAmount <= maxAmount,
    { path: ["minAmount"], error: "Must not be greater than maxAmount" },
  );

export const ExplainCardTransaction = z.strictObject({ organizationId: Id, transactionId: Id });

/** A decision and its basis. Amounts are in the card's currency; `used` is what counted before the purchase. */
export const CardDecision = z
  .object({
    outcome: z.enum(cardDecisionOutcomes),
    reason: z.string().nullable(),
    requestedAmount: z
      .int()
      .nullable()
      .meta({ description: "What the merchant requested; null if nothing was requested." }),
    approvedAmount: z.int().nullable().meta({
      description:
        "0 for a decline. Less than requestedAmount for a partial approval: what was left of the limit.",
    }),
    limit: z.int().nullable(),
    used: z.int().nullable(),
    remaining: z.int().nullable(),
    resetsAt: z.date().nullable(),
    interval: z.enum(cardLimitIntervals).nullable(),
  })
  .meta({ id: "CardDecision" });

const origin = z.enum(cardTransactionOrigins).meta({
  description:
    "What created the transaction. Only an authorization is decided; a force post is a clearing without one. A dispute gives money back (the amount is negative) or takes it again.",
});

/** A decision on a request to hold more. */
const CardIncrement = CardDecision.extend({
  amount: z.int().meta({ description: "The additional amount, in minor units of the card's currency." }),
  decidedAt: z.date(),
}).meta({ id: "CardIncrement" });

/** The decision on a card transaction, and what became of it. */
export const RecordedCardDecision = CardDecision.extend({
  outcome: z.enum([...cardDecisionOutcomes, "not_requested"]).meta({
    description:
      "An approval that was withdrawn is declined. A force post, a refund and a dispute need no approval: not_requested.",
  }),
  decidedAt: z.date(),
  origin,
  increments: z
    .array(CardIncrement)
    .meta({ description: "The decisions on requests to hold more, the oldest first." }),
  amountBeyondApproval: z.int().meta({
    description: "What the merchant cleared beyond the approved amount, or without an approval; otherwise 0.",
  }),
}).meta({ id: "RecordedCardDecision" });

/** How a card is used in a purchase. */
export const CardChannel = z.enum(cardChannels).meta({ id: "CardChannel" });

/** The merchant of a purchase. */
export const MerchantInput = z.strictObject({
  name: text(200).trim().min(1),
  id: text(100).trim().min(1).optional(),
  category: text(100).trim().min(1).optional(),
  country: text(2)
    .regex(/^[A-Z]{2}$/, { error: "Must be an upper-case ISO 3166-1 alpha-2 code" })
    .optional(),
});
