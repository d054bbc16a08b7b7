import { Amount, Currency, Id, text } from "@purser/core";
import { parseWebhookBody } from "@purser/platform/providers";
import { z } from "zod";
import type { CardMessage, CardMerchant } from "../ports.ts";
import { CardChannel, MerchantInput } from "../transactions/contract.ts";

const Name = Id.min(1);
const Time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
/** Bounded, so that the sums for a card stay safe integers. */
const Money = Amount.min(0).max(1_000_000_000_000);

/** In every message: the issuer's reference of the card, and the instant. */
const about = { card: Name, at: Time };
/** The purchase that a message is about; null for a clearing or refund without an authorization. */
const authorization = Name.nullable().default(null);
/** Null for the whole amount, see `CardMessage`. */
const amount = Money.nullable().default(null);
const merchant = MerchantInput.nullable().default(null);
const acceptsPartialApproval = z.boolean().optional();

const event = <Type extends string, Data extends z.core.$ZodLooseShape>(type: Type, data: Data) =>
  z.strictObject({ id: Name, type: z.literal(type), data: z.strictObject({ ...about, ...data }) });

/** An event of the sandbox's network. Its id is the network's id of the message. */
const CardEvent = z.discriminatedUnion("type", [
  event("authorization.request", {
    // Later messages refer to this, or, if it is absent, to the id of the event.
    authorization: Name.optional(),
    amount: Money,
    currency: Currency,
    merchant: MerchantInput,
    channel: CardChannel,
    description: text(255).nullable().default(null),
    expiresAt: Time.nullable().default(null),
    acceptsPartialApproval,
  }),
  event("increment.request", { authorization: Name, amount: Money, acceptsPartialApproval }),
  event("reversal", { authorization: Name, amount }),
  event("expiry", { authorization: Name }),
  event("clearing", { authorization, amount, final: z.boolean().default(true), merchant }),
  event("refund", { authorization, amount, merchant }),
]);

/** An event of the sandbox's network before parsing. */
export type SandboxCardEvent = z.input<typeof CardEvent>;

/** Reads the message in a body; null if there is none. */
export function readSandboxMessage(body: string): CardMessage | null {
  const { data } = CardEvent.safeParse(parseWebhookBody(body));
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
        merchant: toMerchant(data.merchant),
      };
    case "increment.request":
      return { ...data, networkId, kind: "increment" };
    case "reversal":
      return { ...data, networkId, kind: type };
    case "expiry":
      return { ...data, networkId, kind: type };
    case "clearing": {
      // A clearing without a hold gets a name too, so that it can be refunded.
      const reference = data.authorization ?? networkId;
      return {
        ...data,
        networkId,
        kind: type,
        authorization: reference,
        merchant: toMerchantOrNull(data.merchant),
      };
    }
    default:
      return { ...data, networkId, kind: type, merchant: toMerchantOrNull(data.merchant) };
  }
}

function toMerchant(input: z.output<typeof MerchantInput>): CardMerchant {
  const { name, id = null, category = null, country = null } = input;
  return { name, id, category, country };
}

const toMerchantOrNull = (input: z.output<typeof MerchantInput> | null) =>
  input === null ? null : toMerchant(input);
