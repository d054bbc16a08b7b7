import { type KeyObject, createSecretKey } from "node:crypto";
import { z } from "zod";
import { parsed, refused, standardWebhook } from "@purser/platform/providers";
import type { IssuerWebhookCheck, IssuerWebhooks } from "@purser/cards/ports";
import { resultOf } from "./mapping.ts";
import { Request, isCredit, requestMessages, requestType } from "./requests.ts";
import { transactionMessages, updateType } from "./transactions.ts";

/**
 * Lithic's webhooks, signed as Standard Webhooks say. The SDK's own `verifySignature` asks the computer's clock and decodes the bytes
 * before it compares them, so that it is not what checks here; that both judge alike is tested.
 */
export function lithicWebhooks(secrets: readonly string[]): IssuerWebhooks {
  const keys = secrets.map(keyOf);
  return {
    verify: (body, headers, now) => verify(keys, body, headers, now),
    isRequest: (type) => type === requestType,
    read: ({ type, body }) => {
      if (type === requestType) return requestMessages(parsed(body));
      return type === updateType ? transactionMessages(parsed(body)) : [];
    },
    answer: ({ body }, { approved, reason }) => {
      const request = parsed(body);
      // Money that comes to the card is never sent back: there is nothing to decide.
      const result = approved || isCredit(request) ? "APPROVED" : resultOf(reason);
      const token = Request.safeParse(request).data?.token;
      const headers = { "content-type": "application/json" };
      return { status: 200, headers, body: JSON.stringify({ result, token }) };
    },
  };
}

function keyOf(secret: string): KeyObject {
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ""), "base64");
  // Anybody could sign with an empty key.
  if (key.length === 0) throw new Error("A webhook secret of Lithic's is empty");
  return createSecretKey(key);
}

const Event = z.object({ event_type: z.string().min(1).max(255) });

function verify(keys: readonly KeyObject[], body: Buffer, headers: Headers, now: Date): IssuerWebhookCheck {
  const signed = standardWebhook(keys, body, headers, now);
  if (signed.outcome === "refused") return signed;
  const { id, event } = signed;
  const request = Request.safeParse(event).data;
  // A request that is sent again is a message of its own; its token stays the same.
  if (request !== undefined) return { outcome: "verified", eventId: request.token, type: requestType };
  const type = Event.safeParse(event).data?.event_type;
  if (type === undefined || id.length > 255) return refused("malformed");
  return { outcome: "verified", eventId: id, type };
}
