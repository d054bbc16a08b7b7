import type { CardMessage, IssuerEvent } from "@purser/cards/ports";
import { createConcurrencyLimit } from "@purser/platform";
import { parseWebhookBody } from "@purser/platform/providers";
import { z } from "zod";
import { Reference, type StripeCall, StripeId, Timestamp } from "../client.ts";
import { issuingErrors } from "./errors.ts";
import { StripeTransaction } from "./transactions.ts";

/** "Whenever funds are reinstated to your account" and "deducted from your account for an Issuing dispute" (SDK, `Events`). */
const directions: ReadonlyMap<string, "credit" | "debit"> = new Map([
  ["issuing_dispute.funds_reinstated", "credit"],
  ["issuing_dispute.funds_rescinded", "debit"],
]);

export const isDisputeEvent = (type: string) => directions.has(type);

const DisputeEvent = z.object({
  id: StripeId,
  created: Timestamp,
  data: z.object({
    object: z.object({ amount: z.int().positive(), transaction: Reference }),
  }),
});

/** How many reads of one account ask Stripe at once, and how long a further one waits before its job fails and runs again. */
const maxReads = 2;
const maxWaitMs = 250;

/**
 * Returns a function that reads the events of {@link isDisputeEvent}. They share their queue with clearings, which ask
 * nobody, so a Stripe that does not answer must not hold all of its slots.
 */
export function stripeDisputeReader(call: StripeCall) {
  const limited = createConcurrencyLimit(maxReads);
  return (event: IssuerEvent) => limited("disputes", () => readStripeDispute(call, event), maxWaitMs);
}

/**
 * Reads the money that a dispute moves. A dispute names the disputed transaction only by its id
 * (https://docs.stripe.com/api/issuing/disputes/object), so this asks Stripe for its card and authorization.
 * It also has the currency: the amount of a dispute is "in the card's currency", and its own currency is the one "the
 * transaction was made in" (SDK, `Issuing.Dispute`).
 */
async function readStripeDispute(call: StripeCall, { type, body }: IssuerEvent): Promise<CardMessage[]> {
  const event = issuingErrors.parsePayload(type, DisputeEvent, parseWebhookBody(body));
  const { amount, transaction: clearing } = event.data.object;
  const transaction = await call("transactions.retrieve", StripeTransaction, (stripe, options) =>
    stripe.issuing.transactions.retrieve(clearing, {}, options),
  );
  return [
    {
      kind: "dispute",
      // One dispute may give money back and take it again several times. Only the event identifies each of them.
      networkId: event.id,
      card: transaction.card,
      at: event.created,
      direction: directions.get(type)!,
      authorization: transaction.authorization ?? null,
      clearing,
      amount,
      currency: transaction.currency.toUpperCase(),
      merchant: transaction.merchant_data,
    },
  ];
}
