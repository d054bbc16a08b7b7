import { Amount, Currency, Id, text } from "@purser/core";
import { z } from "zod";
import type { CardMessage, Merchant as KnownMerchant } from "../ports.ts";
import { Channel, Merchant } from "../transactions/contract.ts";

const Name = Id.min(1);
const Time = z.iso.datetime({ offset: true }).transform((written) => new Date(written));
/** Bounded, so that what adds up for a card does not leave the numbers that amounts are. */
const Money = Amount.min(0).max(1_000_000_000_000);

/** What every message says: on which card, as the issuer names it, and when. */
const about = { card: Name, at: Time };
/** The purchase that a message is about; a clearing or refund without one comes out of the blue. */
const authorization = Name.nullable().default(null);
/** Null for all of it, see `CardMessage`. */
const amount = Money.nullable().default(null);
const merchant = Merchant.nullable().default(null);

const event = <Type extends string, Data extends z.core.$ZodLooseShape>(type: Type, data: Data) =>
  z.strictObject({ id: Name, type: z.literal(type), data: z.strictObject({ ...about, ...data }) });

/** What the sandbox's network says. The id of an event is the network's id of the message. */
const CardEvent = z.discriminatedUnion("type", [
  event("authorization.request", {
    // Later messages name it by this, or else by the id of the event.
    authorization: Name.optional(),
    amount: Money,
    currency: Currency,
    merchant: Merchant,
    channel: Channel,
    description: text(255).nullable().default(null),
    expiresAt: Time.nullable().default(null),
  }),
  event("increment.request", { authorization: Name, amount: Money }),
  event("reversal", { authorization: Name, amount }),
  event("expiry", { authorization: Name }),
  event("clearing", { authorization, amount, final: z.boolean().default(true), merchant }),
  event("refund", { authorization, amount, merchant }),
]);

/** An event of the sandbox's network, as it is written. */
export type SandboxCardEvent = z.input<typeof CardEvent>;

/** The message that a body holds, or null where it holds none. */
export function readMessage(body: string): CardMessage | null {
  let content: unknown;
  try {
    content = JSON.parse(body);
  } catch {
    return null;
  }
  const { data } = CardEvent.safeParse(content);
  return data === undefined ? null : messageOf(data);
}

function messageOf({ id: networkId, type, data }: z.output<typeof CardEvent>): CardMessage {
  switch (type) {
    case "authorization.request":
      return {
        ...data,
        networkId,
        kind: "authorization",
        authorization: data.authorization ?? networkId,
        merchant: known(data.merchant),
      };
    case "increment.request":
      return { ...data, networkId, kind: "increment" };
    case "reversal":
      return { ...data, networkId, kind: type };
    case "expiry":
      return { ...data, networkId, kind: type };
    case "clearing": {
      // Without a hold it has a name all the same, so that it can be refunded.
      const named = data.authorization ?? networkId;
      return { ...data, networkId, kind: type, authorization: named, merchant: knownOrNull(data.merchant) };
    }
    default:
      return { ...data, networkId, kind: type, merchant: knownOrNull(data.merchant) };
  }
}

function known(given: z.output<typeof Merchant>): KnownMerchant {
  const { name, id = null, category = null, country = null } = given;
  return { name, id, category, country };
}

const knownOrNull = (given: z.output<typeof Merchant> | null) => (given === null ? null : known(given));
