import { z } from "zod";
import type { CardMessage } from "../../ports.ts";
import { holdEndsAt } from "../network.ts";
import { Merchant, Money, PointOfSale, Time, Token, channelOf } from "./mapping.ts";

/** The type of Auth Stream Access requests. */
export const requestType = "card_authorization.approval_request";

/** What is asked for: money, nothing but an answer, or to give money. */
const asked = ["AUTHORIZATION", "FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"];
const given = ["CREDIT_AUTHORIZATION", "FINANCIAL_CREDIT_AUTHORIZATION"];

/** What tells a request from an event: the former names no type, or this one. */
export const Request = z.object({
  token: Token,
  card: z.object({ token: Token }),
  status: z.enum([...asked, ...given]),
  event_type: z.literal(requestType).optional(),
});

const Authorization = Request.extend({
  status: z.enum(asked),
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
  const { token, created, amounts, merchant, pos } = data;
  const { cardholder, hold } = amounts;
  // More than the purchase may be held, for fuel or a tip; in another currency than the card's it says nothing here.
  const amount = hold?.currency === cardholder.currency ? hold.amount : cardholder.amount;
  if (amount < 0) return [];
  const cash = data.cash_amount ?? 0;
  return [
    {
      kind: "authorization",
      networkId: token,
      card: data.card.token,
      at: created,
      authorization: token,
      amount,
      currency: cardholder.currency,
      merchant,
      channel: channelOf({ pos, category: merchant.category, cash, amount: cardholder.amount }),
      description: null,
      expiresAt: holdEndsAt(merchant, created),
    },
  ];
}
