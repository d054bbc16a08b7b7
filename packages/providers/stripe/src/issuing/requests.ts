import { holdEndsAt } from "@purser/cards";
import type { CardMessage, Channel } from "@purser/cards/ports";
import { z } from "zod";
import { Timestamp } from "../mapping.ts";
import { Authorization, RequestedAmount } from "./mapping.ts";

/** Stripe waits for our decision in the response to this event. */
export const requestType = "issuing_authorization.request";

const RequestEvent = z.object({
  created: Timestamp,
  data: z.object({ object: Authorization.extend({ pending_request: RequestedAmount }) }),
});

/** Reads the pending request of an authorization. Returns nothing if the event is invalid, which declines it. */
export function requestMessages(event: unknown): RequestMessage[] {
  const { data: request } = RequestEvent.safeParse(event);
  if (request === undefined) return [];
  const { pending_request: pending, request_history: earlier } = request.data.object;
  return [requestMessage(request.data.object, { ...pending, at: request.created, earlier })];
}

type RequestMessage = Extract<CardMessage, { kind: "authorization" | "increment" }>;

interface AuthorizationRequest extends z.infer<typeof RequestedAmount> {
  at: Date;
  /** The requests of the same authorization before this one. */
  earlier: readonly { approved: boolean }[];
}

/**
 * Maps one request of an authorization. A request has no id at Stripe. Its `networkId` is its position among the
 * requests of its authorization: the pending request and its later entry in `request_history` share nothing else.
 */
export function requestMessage(object: Authorization, request: AuthorizationRequest): RequestMessage {
  const { id: authorization, card, merchant_data: merchant, created } = object;
  const { amount, earlier } = request;
  const common = { networkId: `${authorization}:${earlier.length}`, card, authorization, amount };
  // An incremental authorization. The amount is the addition, not the new total.
  if (earlier.some(({ approved }) => approved)) return { ...common, kind: "increment", at: request.at };
  return {
    ...common,
    kind: "authorization",
    at: created,
    currency: request.currency.toUpperCase(),
    merchant,
    channel: channelOf(object, request),
    description: null,
    expiresAt: holdEndsAt(merchant, created),
  };
}

/** The merchant category of automated cash disbursements. */
const cashMachine = "6011";

function channelOf(object: Authorization, { amount_details: details }: AuthorizationRequest): Channel {
  const { authorization_method: method, card_presence: presence, merchant_data: merchant } = object;
  const fee = details?.atm_fee ?? 0;
  if (merchant.category === cashMachine || fee > 0) return "atm";
  const isCardRead = method === "chip" || method === "contactless" || method === "swipe";
  return isCardRead && presence !== "not_present" ? "in_store" : "online";
}
