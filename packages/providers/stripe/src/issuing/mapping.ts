import { merchantOf } from "@purser/cards";
import type { CardStatus, IssuedCard } from "@purser/cards/ports";
import { z } from "zod";
import { Id, Reference, Timestamp } from "../mapping.ts";

export const Cardholder = z.object({ id: Id });
export const Cardholders = z.object({
  data: z.array(Cardholder.extend({ metadata: z.record(z.string(), z.string()) })),
});

/** The fields of a card that we store. Drops a number or CVC if a response holds one. */
export const Card = z.object({
  id: Id,
  last4: z.string().regex(/^\d{4}$/),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2000).max(9999),
  status: z.string(),
});

export function issuedCard({
  id,
  last4,
  exp_month: month,
  exp_year: year,
}: z.infer<typeof Card>): IssuedCard {
  return { reference: id, lastFour: last4, expiryMonth: month, expiryYear: year };
}

/** Stripe does not distinguish a paused card from a frozen one. */
export const stripeStatus = {
  ACTIVE: "active",
  PAUSED: "inactive",
  FROZEN: "inactive",
  CLOSED: "canceled",
} as const satisfies Record<CardStatus, string>;

export const MerchantData = z
  .object({
    name: z.string().nullish(),
    network_id: z.string().nullish(),
    category_code: z.string().nullish(),
    country: z.string().nullish(),
  })
  .transform(({ name, network_id: id, category_code: category, country }) =>
    merchantOf({ name, id, category, country }),
  );

/** The amount of a pending or decided request. */
export const RequestedAmount = z.object({
  // In the currency of the card, not of the merchant.
  amount: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  amount_details: z.object({ atm_fee: z.int().nullish() }).nullish(),
});

/** A decided request. A negative amount is a credit to the card. */
const DecidedRequest = RequestedAmount.extend({
  amount: z.int(),
  approved: z.boolean(),
  created: Timestamp,
  reason: z.string(),
});

/** The fields that every event about an authorization has. */
export const Authorization = z.object({
  id: Id,
  amount: z.int(),
  approved: z.boolean(),
  authorization_method: z.string().nullish(),
  card: Reference,
  card_presence: z.string().nullish(),
  created: Timestamp,
  merchant_data: MerchantData,
  /** Sorted oldest first. Stripe does not document an order. */
  request_history: z
    .array(DecidedRequest)
    .transform((history) =>
      history.toSorted((one, other) => one.created.getTime() - other.created.getTime()),
    ),
  status: z.string(),
});
export type Authorization = z.infer<typeof Authorization>;
