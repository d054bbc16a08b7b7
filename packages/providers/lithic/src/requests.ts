import { holdEndsAt, merchantOf } from "@purser/cards";
import type { CardMessage, Channel, Verdict } from "@purser/cards/ports";
import { z } from "zod";
import { alpha2Of } from "./countries.ts";

/** The event type of Auth Stream Access requests, which wait for a verdict in the HTTP response. */
export const lithicRequestType = "card_authorization.approval_request";

export const Token = z.string().min(1).max(255);
export const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const Money = z.object({ amount: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) });

export const LithicMerchant = z
  .object({
    descriptor: z.string().nullish(),
    acceptor_id: z.string().nullish(),
    mcc: z.string().nullish(),
    country: z.string().nullish(),
  })
  .transform(({ descriptor: name, acceptor_id: id, mcc: category, country }) =>
    merchantOf({ name, id, category, country: alpha2Of(country) }),
  );

export const PointOfSale = z.object({
  entry_mode: z.object({ card: z.string().nullish(), pan: z.string().nullish() }).nullish(),
  terminal: z.object({ type: z.string().nullish() }).nullish(),
});

/** Requests that need a decision: for money, or for a balance. */
export const decidedStatuses = ["AUTHORIZATION", "FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"];
/** Requests that give money to the cardholder. */
const creditStatuses = ["CREDIT_AUTHORIZATION", "FINANCIAL_CREDIT_AUTHORIZATION"];

/** Identifies a request: its `event_type` is absent or this one, while an event always has another one. */
export const LithicRequest = z.object({
  token: Token,
  card: z.object({ token: Token }),
  status: z.enum([...decidedStatuses, ...creditStatuses]),
  event_type: z.literal(lithicRequestType).optional(),
});

const Authorization = LithicRequest.extend({
  status: z.enum(decidedStatuses),
  created: Time,
  amounts: z.object({ cardholder: Money, hold: Money.nullish() }),
  cash_amount: z.int().nullish(),
  merchant: LithicMerchant,
  pos: PointOfSale.nullish(),
});

/**
 * Reads the authorization that a request asks for; empty if it asks for no money or cannot be read. A request does not
 * say whether it adds to an earlier one, so each is an authorization of its own, identified by its token.
 */
export function readLithicRequest(request: unknown): CardMessage[] {
  const { data } = Authorization.safeParse(request);
  if (data === undefined) return [];
  const { amounts, cash_amount: cash } = data;
  const { cardholder, hold } = amounts;
  // The hold may exceed the purchase, for fuel or a tip, and Lithic also sends it negative. A hold in another currency
  // than the card's is unusable here.
  const amount = hold?.currency === cardholder.currency ? Math.abs(hold.amount) : cardholder.amount;
  return amount < 0
    ? []
    : [lithicAuthorization({ ...data, card: data.card.token, amount, cardholder, cash: cash ?? 0 })];
}

interface AuthorizationInput extends Pick<
  z.infer<typeof Authorization>,
  "token" | "created" | "merchant" | "pos"
> {
  /** The card's token. */
  card: string;
  /** The amount to hold. */
  amount: number;
  /** The amount of the purchase. */
  cardholder: z.infer<typeof Money>;
  /** The part of the purchase that is cash. */
  cash: number;
}

export function lithicAuthorization(input: AuthorizationInput) {
  const { token, card, created, amount, cardholder, cash, merchant, pos } = input;
  return {
    kind: "authorization",
    networkId: token,
    card,
    at: created,
    authorization: token,
    amount,
    currency: cardholder.currency,
    merchant,
    channel: lithicChannel({ pos, category: merchant.category, cash, amount: cardholder.amount }),
    description: null,
    expiresAt: holdEndsAt(merchant, created),
  } as const satisfies CardMessage;
}

interface ChannelSignals {
  pos: z.infer<typeof PointOfSale> | null | undefined;
  category: string | null;
  /** The part of the amount that is cash. */
  cash: number;
  amount: number;
}

/** Entry modes in which the merchant has not read the card. */
const remoteEntry = new Set([
  "CREDENTIAL_ON_FILE",
  "ECOMMERCE",
  "ERROR_KEYED",
  "KEY_ENTERED",
  "MANUAL",
  "SECURE_CARDLESS",
]);
const cardRead = new Set(["CONTACTLESS", "ERROR_MAGNETIC_STRIPE", "ICC", "MAGNETIC_STRIPE"]);

/** How the card is used. An unclear use counts as online. */
export function lithicChannel({ pos, category, cash, amount }: ChannelSignals): Channel {
  const terminal = pos?.terminal?.type;
  const { card, pan } = pos?.entry_mode ?? {};
  // If only a part is cash, a shop gives cash back. 6011 is cash from a machine.
  if (terminal === "ATM" || category === "6011" || (cash > 0 && cash >= amount)) return "atm";
  if (card === "NOT_PRESENT" || terminal === "ECOMMERCE" || remoteEntry.has(pan ?? "")) return "online";
  return card === "PRESENT" || cardRead.has(pan ?? "") ? "in_store" : "online";
}

/** The response to a request. Money for the cardholder is never declined: no limit applies to it. */
export function lithicResponse(request: unknown, { approved, reason }: Verdict) {
  const { token, status = "" } = LithicRequest.safeParse(request).data ?? {};
  const result = approved || creditStatuses.includes(status) ? "APPROVED" : lithicResult(reason);
  return { result, token };
}

/** Lithic has fewer results than we have reasons. */
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

/** The result that declines for a reason. A reason that Lithic has no result for, such as a timeout, is CARD_PAUSED. */
export function lithicResult(reason: string | null): string {
  return results[reason ?? ""] ?? "CARD_PAUSED";
}
