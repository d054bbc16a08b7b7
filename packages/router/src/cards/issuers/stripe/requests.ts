import { z } from "zod";
import type { CardMessage, Channel } from "../../ports.ts";
import { holdEndsAt } from "../network.ts";
import { Authorization, Id, Time } from "./mapping.ts";

/** The type of the event by which Stripe waits for a verdict. */
export const requestType = "issuing_authorization.request";

const Request = Authorization.extend({
  request_history: z.array(z.object({ approved: z.boolean() })),
  pending_request: z.object({
    // The card's currency, whatever the merchant's.
    amount: z.int().nonnegative(),
    currency: z.string().regex(/^[a-z]{3}$/i),
    amount_details: z.object({ atm_fee: z.int().nullish() }).nullish(),
  }),
});

const Event = z.object({ id: Id, created: Time, data: z.object({ object: Request }) });

/** The authorization, or the addition to one, that a request asks for; none where it cannot be read. */
export function requestMessages(event: unknown): CardMessage[] {
  const { data } = Event.safeParse(event);
  return data ? [requestMessage(data)] : [];
}

function requestMessage({ id, created, data: { object } }: z.infer<typeof Event>): CardMessage {
  const { id: authorization, card, pending_request: pending, merchant_data: merchant } = object;
  // Stripe asks for the additional amount, under the same authorization.
  if (object.request_history.some(({ approved }) => approved)) {
    return { kind: "increment", networkId: id, card, at: created, authorization, amount: pending.amount };
  }
  return {
    kind: "authorization",
    networkId: id,
    card,
    at: object.created,
    authorization,
    amount: pending.amount,
    currency: pending.currency.toUpperCase(),
    merchant,
    channel: channelOf(object),
    description: null,
    expiresAt: holdEndsAt(merchant, object.created),
  };
}

function channelOf(request: z.infer<typeof Request>): Channel {
  const { authorization_method: method, card_presence: presence, merchant_data: merchant } = request;
  const fee = request.pending_request.amount_details?.atm_fee ?? 0;
  // 6011: cash from a machine.
  if (merchant.category === "6011" || fee > 0) return "atm";
  const isRead = method === "chip" || method === "contactless" || method === "swipe";
  return isRead && presence !== "not_present" ? "in_store" : "online";
}
