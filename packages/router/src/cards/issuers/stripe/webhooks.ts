import { Stripe } from "stripe";
import { z } from "zod";
import { isTimely } from "../../../platform/inbox.ts";
import type { CardMessage, IssuerWebhookCheck, IssuerWebhooks } from "../../ports.ts";
import { requestMessages, requestType } from "./requests.ts";
import {
  creationMessages,
  creationType,
  transactionMessages,
  transactionType,
  updateMessages,
  updateType,
} from "./transactions.ts";

/** Stripe's webhooks: the header `Stripe-Signature` holds the time and signatures of it and the body. */
export function stripeWebhooks(secrets: readonly string[]): IssuerWebhooks {
  return {
    verify: (body, headers, now) => verify(secrets, body, headers.get("stripe-signature") ?? "", now),
    isRequest: (type) => type === requestType,
    read: ({ type, body }) => messagesOf(type, parsed(body)),
    answer: (_event, { approved, reason }) => ({
      status: 200,
      headers: { "content-type": "application/json", "Stripe-Version": Stripe.API_VERSION },
      // Metadata stays with the authorization: the reason can be read in Stripe's dashboard.
      body: JSON.stringify({
        approved,
        ...(!approved && reason !== null && { metadata: { decline_reason: reason } }),
      }),
    }),
  };
}

function messagesOf(type: string, event: unknown): CardMessage[] {
  switch (type) {
    case requestType:
      return requestMessages(event);
    case creationType:
      return creationMessages(event);
    case updateType:
      return updateMessages(event);
    case transactionType:
      return transactionMessages(event);
    default:
      return [];
  }
}

const Event = z.object({ id: z.string().min(1).max(255), type: z.string().min(1).max(255) });

async function verify(
  secrets: readonly string[],
  body: Buffer,
  header: string,
  now: Date,
): Promise<IssuerWebhookCheck> {
  const checks = await Promise.all(secrets.map((secret) => isSigned(body, header, secret)));
  if (!checks.includes(true)) return refused("signature");
  if (!isTimely(signedAt(header), now)) return refused("time");
  const { data } = Event.safeParse(parsed(body.toString("utf8")));
  if (data === undefined) return refused("malformed");
  return { outcome: "verified", eventId: data.id, type: data.type };
}

async function isSigned(body: Buffer, header: string, secret: string): Promise<boolean> {
  try {
    // The SDK bounds the past alone, and by the computer's clock: a tolerance of 0 leaves the time to us.
    return (await Stripe.webhooks.signature?.verifyHeaderAsync(body, header, secret, 0)) ?? false;
  } catch {
    // Besides its own error it throws others, as for a signature without a length.
    return false;
  }
}

/** The time that was signed. Of several the SDK takes the last one, and so must this. */
function signedAt(header: string): Date {
  const time = header.split(",").findLast((part) => part.startsWith("t="));
  return new Date(Number.parseInt(time?.slice(2) ?? "", 10) * 1000);
}

function refused(reason: "signature" | "time" | "malformed"): IssuerWebhookCheck {
  return { outcome: "refused", reason };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
