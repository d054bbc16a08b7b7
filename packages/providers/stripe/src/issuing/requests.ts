import { z } from "zod";
import type { CardMessage, Channel } from "@purser/cards/ports";
import { holdEndsAt } from "@purser/cards";
import { ApiCall, Authorization, Time } from "./mapping.ts";

/** The type of the event by which Stripe waits for a verdict. */
export const requestType = "issuing_authorization.request";

const Event = z.object({
  created: Time,
  data: z.object({ object: Authorization.extend({ pending_request: ApiCall }) }),
});

/** The authorization, or the addition to one, that a request asks for; none where it cannot be read. */
export function requestMessages(event: unknown): RequestMessage[] {
  const { data: read } = Event.safeParse(event);
  if (read === undefined) return [];
  const { created: at, data } = read;
  const { pending_request: ask, request_history: earlier } = data.object;
  return [requestMessage(data.object, { ...ask, at, earlier })];
}

type RequestMessage = Extract<CardMessage, { kind: "authorization" | "increment" }>;

interface Asked extends z.infer<typeof ApiCall> {
  at: Date;
  /** What of the same authorization was asked for before. */
  earlier: readonly { approved: boolean }[];
}

/**
 * One request of an authorization. It is named by its place among them, which is all that its event and the history
 * that it is in afterwards have in common.
 */
export function requestMessage(object: Authorization, asked: Asked): RequestMessage {
  const { id: authorization, card, merchant_data: merchant, created } = object;
  const { amount, earlier } = asked;
  const about = { networkId: `${authorization}:${earlier.length}`, card, authorization, amount };
  // Stripe asks for the additional amount, under the same authorization.
  if (earlier.some(({ approved }) => approved)) return { ...about, kind: "increment", at: asked.at };
  return {
    ...about,
    kind: "authorization",
    at: created,
    currency: asked.currency.toUpperCase(),
    merchant,
    channel: channelOf(object, asked),
    description: null,
    expiresAt: holdEndsAt(merchant, created),
  };
}

function channelOf(object: Authorization, { amount_details: details }: Asked): Channel {
  const { authorization_method: method, card_presence: presence, merchant_data: merchant } = object;
  const fee = details?.atm_fee ?? 0;
  // 6011: cash from a machine.
  if (merchant.category === "6011" || fee > 0) return "atm";
  const isRead = method === "chip" || method === "contactless" || method === "swipe";
  return isRead && presence !== "not_present" ? "in_store" : "online";
}
