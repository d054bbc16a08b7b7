import { hash } from "node:crypto";
import { isId } from "@purser/core";
import type { Platform } from "@purser/platform";
import { sandboxSecret, verifySandboxEvent } from "@purser/platform/inbox";
import type { Settings } from "@purser/platform/settings";
import {
  type CardIssuer,
  type CardRequest,
  type IssuedCard,
  IssuerError,
  type IssuerWebhooks,
} from "../ports.ts";
import { readSandboxMessage } from "./messages.ts";

/**
 * The built-in issuer. It is stateless: a card follows from its id, in any currency, and is valid for four years from
 * the month of that id. A cardholder named `fail-outage` or `fail-refused` makes it fail that way.
 */
export function sandboxIssuer({ settings }: Pick<Platform, "settings">): CardIssuer {
  return {
    name: "sandbox",
    display: {
      component: { kind: "test-number" },
      grant: async (card) => ({ kind: "test-number", ...testNumberOf(card) }),
    },
    supports: () => true,
    missingDetails: () => [],
    // The sandbox keeps no record of people.
    updateCardholder: async () => undefined,
    createCard: async (request) => createSandboxCard(request),
    setStatus: async (reference, _status, change) => requireSandboxCard(reference, change),
    setCardholder: async (reference, _cardholderId, change) => requireSandboxCard(reference, change),
    webhooks: sandboxCardWebhooks(settings),
  };
}

const failures: Readonly<Record<string, () => IssuerError>> = {
  "fail-outage": () =>
    new IssuerError("outage", "The sandbox fails because the cardholder is named fail-outage"),
  "fail-refused": () =>
    new IssuerError("refused", "The sandbox refuses because the cardholder is named fail-refused"),
};

function createSandboxCard({ cardId, cardholder }: CardRequest): IssuedCard {
  if (Object.hasOwn(failures, cardholder.name)) throw failures[cardholder.name]!();
  if (!isId("card", cardId)) throw new IssuerError("refused", "The sandbox needs the id of a card");
  const createdAt = timeOf(cardId);
  return {
    reference: referenceOf(cardId),
    lastFour: String(digestOf(cardId).readUInt32BE(16) % 10_000).padStart(4, "0"),
    expiryMonth: createdAt.getUTCMonth() + 1,
    expiryYear: createdAt.getUTCFullYear() + 4,
  };
}

function requireSandboxCard(reference: string, { cardId }: { cardId: string }): void {
  if (reference === referenceOf(cardId)) return;
  throw new IssuerError("card_not_found", "The sandbox has no such card");
}

/**
 * A test number of 16 digits that ends in the card's last four, with a valid check digit (Luhn), and a CVC. Both follow
 * from the card, so every reveal shows the same ones.
 */
function testNumberOf({ reference, lastFour }: Pick<IssuedCard, "reference" | "lastFour">) {
  const digest = hash("sha256", `sandbox number ${reference}`, "buffer");
  const middle = String(digest.readUInt32BE(0) % 100_000).padStart(5, "0");
  const candidates = Array.from({ length: 10 }, (_, digit) => `424242${middle}${digit}${lastFour}`);
  const number = candidates.find(hasValidCheckDigit)!;
  return { number, cvc: String(digest.readUInt32BE(4) % 1000).padStart(3, "0") };
}

function hasValidCheckDigit(number: string): boolean {
  const digits = number.split("").toReversed().map(Number);
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit : digit * 2));
  return doubled.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0;
}

const referenceOf = (cardId: string) => `sbx_${digestOf(cardId).toString("hex", 0, 16)}`;

const digestOf = (cardId: string) => hash("sha256", `sandbox card ${cardId}`, "buffer");

/**
 * The instant in an identifier: the first 48 bits of its UUIDv7 count milliseconds, and with two bits of padding they
 * are its first ten characters. The clock would give another month when the same card is created again.
 */
function timeOf(cardId: string): Date {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  let milliseconds = 0;
  for (const digit of cardId.slice("card_".length, "card_".length + 10)) {
    milliseconds = milliseconds * 32 + alphabet.indexOf(digit);
  }
  return new Date(milliseconds);
}

/**
 * The sandbox's webhooks. Its network waits for the answer to every message, so its controls learn the outcome.
 * Messages are signed like the events of the other sandboxes, with the secret of the area `cards`.
 */
function sandboxCardWebhooks(settings: Pick<Settings, "authSecret">): IssuerWebhooks {
  const secret = sandboxSecret(settings, "cards");
  return {
    verify(body, headers, now) {
      const check = verifySandboxEvent(secret, body, headers, now);
      if (check.outcome === "refused" || readSandboxMessage(body.toString("utf8")) !== null) return check;
      return { outcome: "refused", reason: "malformed" };
    },
    isRequest: () => true,
    readRequest: ({ body }) => readSandboxMessage(body),
    read: () => [],
    readStatus: () => null,
    formatResponse: (_event, response) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(response),
    }),
  };
}
