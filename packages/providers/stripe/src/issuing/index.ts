import { type CardIssuer, type CardRequest, type IssuedCard, IssuerError } from "@purser/cards/ports";
import { cardholderFor } from "./cardholder.ts";
import { type StripeIssuing, stripeClient } from "./client.ts";
import { Card, issuedCard, stripeStatus } from "./mapping.ts";
import type { StripeConfig } from "./settings.ts";
import { stripeWebhooks } from "./webhooks.ts";
export { stripeWebhooks } from "./webhooks.ts";

/** Cards through Stripe Issuing. */
export function stripeIssuer(config: StripeConfig): CardIssuer {
  const { currencies = ["EUR", "GBP", "USD"], webhookSecrets } = config;
  const stripe = stripeClient(config);
  return {
    name: "stripe",
    supports: (currency) => currencies.includes(currency),
    createCard: (request) => createCard(stripe, request),
    setStatus: async (reference, status, { cardId, version }) => {
      const idempotencyKey = `purser:card:${cardId}:${version}`;
      try {
        await stripe.ask("cards.update", Card, (issuing) =>
          issuing.cards.update(reference, { status: stripeStatus[status] }, { idempotencyKey }),
        );
      } catch (error) {
        if (!(error instanceof IssuerError) || error.kind !== "refused") throw error;
        // A canceled card takes no change, not even to what it is.
        const card = await stripe.ask("cards.retrieve", Card, (issuing) => issuing.cards.retrieve(reference));
        if (card.status !== "canceled") throw error;
        if (status !== "CLOSED") throw new IssuerError("card_not_found", "Stripe has canceled the card");
      }
    },
    webhooks: stripeWebhooks(webhookSecrets),
  };
}

async function createCard(stripe: StripeIssuing, request: CardRequest): Promise<IssuedCard> {
  const { cardId, organizationId, currency, memo } = request;
  const cardholder = await cardholderFor(stripe, request);
  const fields = {
    cardholder,
    currency: currency.toLowerCase(),
    type: "virtual",
    status: "active",
    metadata: { purser_card: cardId, purser_organization: organizationId, memo: memo.slice(0, 500) },
  };
  // Stripe keeps keys for a day at least, which is longer than a card that is being made is asked for.
  const idempotencyKey = `purser:card:${cardId}`;
  // Nothing is expanded: number and CVC stay with Stripe.
  const card = await stripe.ask("cards.create", Card, (issuing) =>
    issuing.cards.create(fields, { idempotencyKey }),
  );
  return issuedCard(card);
}
