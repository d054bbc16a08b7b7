import { createHash } from "node:crypto";
import { isId } from "@purser/core";
import type { Platform } from "@purser/platform";
import { type CardIssuer, type CardRequest, type IssuedCard, IssuerError } from "../ports.ts";
import { sandboxCardWebhooks } from "./webhooks.ts";

/**
 * The issuer that is built in. It keeps nothing: a card follows from its id, in every currency, and is good for four
 * years from the month of that id. For a cardholder whose name is `fail-outage` or `fail-refused` it does just that.
 */
export function sandboxIssuer({ settings }: Pick<Platform, "settings">): CardIssuer {
  return {
    name: "sandbox",
    supports: () => true,
    createCard: async (request) => createCard(request),
    async setStatus(reference, _status, { cardId }) {
      if (reference !== referenceOf(cardId)) {
        throw new IssuerError("card_not_found", "The sandbox has made no such card");
      }
    },
    webhooks: sandboxCardWebhooks(settings),
  };
}

const failures: Readonly<Record<string, () => IssuerError>> = {
  "fail-outage": () => new IssuerError("outage", "The sandbox is down, as its cardholder is called"),
  "fail-refused": () => new IssuerError("refused", "The sandbox refuses, as its cardholder is called"),
};

function createCard({ cardId, cardholder }: CardRequest): IssuedCard {
  if (Object.hasOwn(failures, cardholder.name)) throw failures[cardholder.name]!();
  if (!isId("card", cardId)) throw new IssuerError("refused", "A card of the sandbox is made from its id");
  const madeAt = timeOf(cardId);
  return {
    reference: referenceOf(cardId),
    lastFour: String(digestOf(cardId).readUInt32BE(16) % 10_000).padStart(4, "0"),
    expiryMonth: madeAt.getUTCMonth() + 1,
    expiryYear: madeAt.getUTCFullYear() + 4,
  };
}

const referenceOf = (cardId: string) => `sbx_${digestOf(cardId).toString("hex", 0, 16)}`;

const digestOf = (cardId: string) => createHash("sha256").update(`sandbox card ${cardId}`).digest();

/**
 * The instant in an identifier: the first 48 bits of its UUIDv7 count milliseconds, and with two bits of padding
 * they are its first ten characters. A clock would say another month when the same card is asked for again.
 */
function timeOf(cardId: string): Date {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  let milliseconds = 0;
  for (const digit of cardId.slice("card_".length, "card_".length + 10)) {
    milliseconds = milliseconds * 32 + alphabet.indexOf(digit);
  }
  return new Date(milliseconds);
}
