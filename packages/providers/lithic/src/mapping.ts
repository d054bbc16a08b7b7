import { z } from "zod";
import type { CardStatus, Channel, IssuedCard } from "@purser/cards/ports";
import { merchantOf } from "@purser/cards";
import { alpha2Of } from "./countries.ts";

export const Token = z.string().min(1).max(255);
export const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Of a card only what we keep: the number and the CVV that an answer may hold are left behind here. */
export const Card = z.object({
  token: Token,
  last_four: z.string().regex(/^\d{4}$/),
  exp_month: z.string().regex(/^(0?[1-9]|1[0-2])$/),
  exp_year: z.string().regex(/^[2-9]\d{3}$/),
  state: z.string(),
});

export function issuedCard(card: z.infer<typeof Card>): IssuedCard {
  const { token: reference, last_four: lastFour, exp_month: month, exp_year: year } = card;
  return { reference, lastFour, expiryMonth: Number(month), expiryYear: Number(year) };
}

/** Of a card that its holder paused and one that was frozen Lithic has the same state, but another reason. */
export const lithicState = {
  ACTIVE: { state: "OPEN" },
  PAUSED: { state: "PAUSED", substatus: "OTHER" },
  FROZEN: { state: "PAUSED", substatus: "INTERNAL_REVIEW" },
  CLOSED: { state: "CLOSED", substatus: "OTHER" },
} as const satisfies Record<CardStatus, object>;

export const Merchant = z
  .object({
    descriptor: z.string().nullish(),
    acceptor_id: z.string().nullish(),
    mcc: z.string().nullish(),
    country: z.string().nullish(),
  })
  .transform(({ descriptor: name, acceptor_id: id, mcc: category, country }) =>
    merchantOf({ name, id, category, country: alpha2Of(country) }),
  );

export const Money = z.object({ amount: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) });

export const PointOfSale = z.object({
  entry_mode: z.object({ card: z.string().nullish(), pan: z.string().nullish() }).nullish(),
  terminal: z.object({ type: z.string().nullish() }).nullish(),
});

/** Ways in which a card's number comes to a merchant who has not read the card. */
const remote = new Set([
  "CREDENTIAL_ON_FILE",
  "ECOMMERCE",
  "ERROR_KEYED",
  "KEY_ENTERED",
  "MANUAL",
  "SECURE_CARDLESS",
]);
const read = new Set(["CONTACTLESS", "ERROR_MAGNETIC_STRIPE", "ICC", "MAGNETIC_STRIPE"]);

interface Signals {
  pos: z.infer<typeof PointOfSale> | null | undefined;
  category: string | null;
  /** The part of the amount that is cash. */
  cash: number;
  amount: number;
}

/** How the card is used. What cannot be told counts as online. */
export function channelOf({ pos, category, cash, amount }: Signals): Channel {
  const terminal = pos?.terminal?.type;
  const { card, pan } = pos?.entry_mode ?? {};
  // All of it is cash; where it is only a part, a shop gives some back. 6011: cash from a machine.
  if (terminal === "ATM" || category === "6011" || (cash > 0 && cash >= amount)) return "atm";
  if (card === "NOT_PRESENT" || terminal === "ECOMMERCE" || remote.has(pan ?? "")) return "online";
  return card === "PRESENT" || read.has(pan ?? "") ? "in_store" : "online";
}

/** What Lithic is answered for our reasons; it has few of its own. */
const results: Readonly<Record<string, string>> = {
  card_closed: "CARD_PAUSED",
  card_frozen: "CARD_PAUSED",
  card_paused: "CARD_PAUSED",
  card_expired: "CARD_PAUSED",
  currency_not_supported: "UNAUTHORIZED_MERCHANT",
  policy_not_started: "CARD_PAUSED",
  policy_expired: "CARD_PAUSED",
  day_not_allowed: "CARD_PAUSED",
  atm_not_allowed: "UNAUTHORIZED_MERCHANT",
  online_not_allowed: "UNAUTHORIZED_MERCHANT",
  international_not_allowed: "UNAUTHORIZED_MERCHANT",
  merchant_category_not_allowed: "UNAUTHORIZED_MERCHANT",
  merchant_blocked: "UNAUTHORIZED_MERCHANT",
  transaction_limit_exceeded: "INSUFFICIENT_FUNDS",
  daily_limit_exceeded: "VELOCITY_EXCEEDED",
  weekly_limit_exceeded: "VELOCITY_EXCEEDED",
  monthly_limit_exceeded: "VELOCITY_EXCEEDED",
};

/** Lithic's result for a reason of ours. One without its own, such as a decision that came too late, pauses the card. */
export function resultOf(reason: string | null): string {
  return results[reason ?? ""] ?? "CARD_PAUSED";
}
