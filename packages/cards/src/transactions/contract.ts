import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  cardChannels,
  cardLimitIntervals,
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
    { path: ["minAmount"], error: "Must not be over maxAmount" },
  );

export const ExplainCardTransaction = z.strictObject({ organizationId: Id, transactionId: Id });

/** A decision and its basis. Amounts are in the card's currency; `used` is what counted before the purchase. */
export const CardDecision = z
  .object({
    outcome: z.enum(["approved", "declined"]),
    reason: z.string().nullable(),
    limit: z.int().nullable(),
    used: z.int().nullable(),
    remaining: z.int().nullable(),
    resetsAt: z.date().nullable(),
    interval: z.enum(cardLimitIntervals).nullable(),
  })
  .meta({ id: "CardDecision" });

export const RecordedCardDecision = CardDecision.extend({ decidedAt: z.date() }).meta({
  id: "RecordedCardDecision",
});

/** How a card is used in a purchase. */
export const Channel = z.enum(cardChannels).meta({ id: "CardChannel" });

/** The merchant of a purchase. */
export const Merchant = z.strictObject({
  name: text(200).trim().min(1),
  id: text(100).trim().min(1).optional(),
  category: text(100).trim().min(1).optional(),
  country: text(2)
    .regex(/^[A-Z]{2}$/, { error: "Must be an ISO 3166-1 alpha-2 code in upper case" })
    .optional(),
});
