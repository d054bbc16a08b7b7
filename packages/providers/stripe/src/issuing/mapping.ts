import { z } from "zod";
import type { CardStatus, IssuedCard } from "@purser/cards/ports";
import { merchantOf } from "@purser/cards";

export const Id = z.string().min(1).max(255);
/** What is given by its id, or expanded to the thing itself. */
export const Reference = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);
export const Time = z.int().transform((seconds) => new Date(seconds * 1000));

export const Cardholder = z.object({ id: Id });
export const Cardholders = z.object({
  data: z.array(Cardholder.extend({ metadata: z.record(z.string(), z.string()) })),
});

/** Of a card only what we keep: a number or a CVC that an answer might hold is left behind here. */
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

/** Stripe knows no difference between a card that its holder paused and one that was frozen. */
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

/** What is, or was, asked for. */
export const ApiCall = z.object({
  // The card's currency, whatever the merchant's.
  amount: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  amount_details: z.object({ atm_fee: z.int().nullish() }).nullish(),
});

/** How a request of before was decided, and by whom. Some are about money for the card. */
const Decided = ApiCall.extend({ amount: z.int(), approved: z.boolean(), created: Time, reason: z.string() });

/** An authorization, as all its events hold it. */
export const Authorization = z.object({
  id: Id,
  amount: z.int(),
  approved: z.boolean(),
  authorization_method: z.string().nullish(),
  card: Reference,
  card_presence: z.string().nullish(),
  created: Time,
  merchant_data: MerchantData,
  /** The earliest first, in whatever order they are told. */
  request_history: z
    .array(Decided)
    .transform((history) =>
      history.toSorted((one, other) => one.created.getTime() - other.created.getTime()),
    ),
  status: z.string(),
});
export type Authorization = z.infer<typeof Authorization>;
