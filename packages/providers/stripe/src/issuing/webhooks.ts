import { Stripe } from "stripe";
import { createStripeWebhookVerifier } from "../webhooks.ts";
import { parsed } from "@purser/platform/providers";
import type { CardMessage, IssuerWebhooks } from "@purser/cards/ports";
import { requestMessages, requestType } from "./requests.ts";
import {
  creationMessages,
  creationType,
  transactionMessages,
  transactionType,
  updateMessages,
  updateType,
} from "./transactions.ts";

/** What Stripe asks, and what it tells, of purchases. */
export function stripeWebhooks(secrets: readonly string[]): IssuerWebhooks {
  return {
    verify: createStripeWebhookVerifier(secrets),
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
