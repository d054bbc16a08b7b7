import type { CardMessage, IssuerWebhooks } from "@purser/cards/ports";
import { parseWebhookBody } from "@purser/platform/providers";
import { Stripe } from "stripe";
import { verifyStripeSignature } from "../webhooks.ts";
import { requestMessages, requestType } from "./requests.ts";
import {
  creationMessages,
  creationType,
  transactionMessages,
  transactionType,
  updateMessages,
  updateType,
} from "./transactions.ts";

/** Reads and answers events about purchases. */
export function stripeIssuingWebhooks(secrets: readonly string[]): IssuerWebhooks {
  return {
    verify: (body, headers, now) => verifyStripeSignature(secrets, body, headers, now),
    isRequest: (type) => type === requestType,
    read: ({ type, body }) => messagesOf(type, parseWebhookBody(body)),
    answer: (_event, { approved, reason }) => ({
      status: 200,
      headers: { "content-type": "application/json", "Stripe-Version": Stripe.API_VERSION },
      // Stripe stores the metadata on the authorization, so the dashboard shows our reason.
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
