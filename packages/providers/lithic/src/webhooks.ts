import { type KeyObject, createSecretKey } from "node:crypto";
import type { IssuerCardRenewal, IssuerCardStatus, IssuerWebhooks } from "@purser/cards/ports";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook, verifyStandardWebhook } from "@purser/platform/providers";
import { z } from "zod";
import { isDisputeType, readLithicDispute } from "./disputes.ts";
import { parseLithicPayload } from "./errors.ts";
import { Token, lithicRequestType, lithicResponse, lithicTokenOf, readLithicRequest } from "./requests.ts";
import { lithicUpdateType, readLithicTransaction } from "./transactions.ts";

/**
 * Lithic's webhooks: Auth Stream Access requests and events, signed as in Standard Webhooks. The SDK's
 * `verifySignature` reads the system clock and decodes the body, so this uses its own check; a test compares both.
 */
export function lithicWebhooks(secrets: readonly string[]): IssuerWebhooks {
  const keys = secrets.map(secretKeyOf);
  return {
    verify: (body, headers, now) => verifyLithicWebhook(keys, body, headers, now),
    isRequest: (type) => type === lithicRequestType,
    readRequest: ({ body, receivedAt }) => readLithicRequest(parseWebhookBody(body), receivedAt),
    read: ({ type, body }) => {
      if (isDisputeType(type)) return readLithicDispute(type, parseWebhookBody(body));
      return type === lithicUpdateType ? readLithicTransaction(parseWebhookBody(body)) : [];
    },
    readStatus: ({ type, body }) =>
      type === cardUpdateType ? readLithicCardStatus(parseWebhookBody(body)) : null,
    readRenewal: ({ type, body }) =>
      type === renewalType ? readLithicRenewal(parseWebhookBody(body)) : null,
    formatResponse: ({ body }, response) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(lithicResponse(parseWebhookBody(body), response)),
    }),
  };
}

const cardUpdateType = "card.updated";

const CardUpdate = z.object({ card_token: Token, state: z.string() });

function readLithicCardStatus(update: unknown): IssuerCardStatus {
  const { card_token: card, state } = parseLithicPayload(cardUpdateType, CardUpdate, update);
  return { card, status: reportedStatus[state] ?? "suspended" };
}

const reportedStatus: Readonly<Record<string, IssuerCardStatus["status"]>> = {
  OPEN: "open",
  CLOSED: "closed",
};

/** The fields of a card's expiry. */
export const lithicExpiry = {
  exp_month: z.string().regex(/^(0?[1-9]|1[0-2])$/),
  exp_year: z.string().regex(/^[2-9]\d{3}$/),
};

const renewalType = "card.renewed";

const CardRenewal = z.object({ card_token: Token, ...lithicExpiry });

function readLithicRenewal(renewal: unknown): IssuerCardRenewal {
  const { card_token: card, exp_month, exp_year } = parseLithicPayload(renewalType, CardRenewal, renewal);
  return { card, expiryMonth: Number(exp_month), expiryYear: Number(exp_year) };
}

function secretKeyOf(secret: string): KeyObject {
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ""), "base64");
  // Anyone can sign with an empty key.
  if (key.length === 0) throw new Error("A Lithic webhook secret is empty");
  return createSecretKey(key);
}

/** Whatever Lithic sends. An event always has a type. */
const Sent = z.object({ event_type: z.string().max(255).nullish() });

function verifyLithicWebhook(
  keys: readonly KeyObject[],
  body: Buffer,
  headers: Headers,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const signed = verifyStandardWebhook(keys, body, headers, now);
  if (signed.outcome === "refused") return signed;
  const { id, event } = signed;
  const sent = Sent.safeParse(event).data;
  if (sent === undefined) return refuseWebhook("malformed");
  const type = sent.event_type || lithicRequestType;
  // A request of any form is answered. The inbox stores none, so this id names it in no table: what makes a repeat known is
  // the `networkId` that `readLithicRequest` reads.
  if (type === lithicRequestType) return { outcome: "verified", eventId: lithicTokenOf(event) ?? type, type };
  if (id.length > 255) return refuseWebhook("malformed");
  return { outcome: "verified", eventId: id, type };
}
