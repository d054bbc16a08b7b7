import { z } from "zod";
import type { CardMessage } from "@purser/cards/ports";
import { holdEndsAt } from "@purser/cards";
import { Merchant, Money, PointOfSale, Time, Token, channelOf } from "./mapping.ts";

/** The type of Auth Stream Access requests. */
export const requestType = "card_authorization.approval_request";

/** What is asked for: money, nothing but an answer, or to give money. */
export const requestedTypes = ["AUTHORIZATION", "FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"];
const given = ["CREDIT_AUTHORIZATION", "FINANCIAL_CREDIT_AUTHORIZATION"];

/** What tells a request from an event: the former names no type, or this one. */
export const Request = z.object({
  token: Token,
  card: z.object({ token: Token }),
  status: z.enum([...requestedTypes, ...given]),
  event_type: z.literal(requestType).optional(),
});

const Authorization = Request.extend({
  status: z.enum(requestedTypes),
  created: Time,
  amounts: z.object({ cardholder: Money, hold: Money.nullish() }),
  cash_amount: z.int().nullish(),
  merchant: Merchant,
  pos: PointOfSale.nullish(),
});

/** Whether a request is to give money to the card's holder: there is no limit to that. */
export function isCredit(request: unknown): boolean {
  return given.includes(Request.safeParse(request).data?.status ?? "");
}

/**
 * The authorization that a request asks for, or none where it asks for no money. Lithic does not say in it whether
 * it adds to an earlier one: each is an authorization by its token, which is also what a repeat is known by.
 */
export function requestMessages(request: unknown): CardMessage[] {
  const { data } = Authorization.safeParse(request);
  if (data === undefined) return [];
  const { amounts, cash_amount: cash } = data;
  const { cardholder, hold } = amounts;
  // More than the purchase may be held, for fuel or a tip; in another currency than the card's it says nothing here.
  const amount = hold?.currency === cardholder.currency ? hold.amount : cardholder.amount;
  return amount < 0
    ? []
    : [authorizationOf({ ...data, card: data.card.token, amount, cardholder, cash: cash ?? 0 })];
}

interface Asked extends Pick<z.infer<typeof Authorization>, "token" | "created" | "merchant" | "pos"> {
  /** Its token. */
  card: string;
  /** What is to be held. */
  amount: number;
  /** What the purchase is about. */
  cardholder: z.infer<typeof Money>;
  /** How much of it is cash. */
  cash: number;
}

/** An authorization as it is, or was, asked for. */
export function authorizationOf({ token, card, created, amount, cardholder, cash, merchant, pos }: Asked) {
  return {
    kind: "authorization",
    networkId: token,
    card,
    at: created,
    authorization: token,
    amount,
    currency: cardholder.currency,
    merchant,
    channel: channelOf({ pos, category: merchant.category, cash, amount: cardholder.amount }),
    description: null,
    expiresAt: holdEndsAt(merchant, created),
  } as const satisfies CardMessage;
}
