import type { Clock } from "@purser/core";
import type { Stripe } from "stripe";
import type { z } from "zod";
import { stripeSdk } from "../../../platform/providers/stripe/client.ts";
import { type CardIssuer, type CardRequest, type IssuedCard, IssuerError } from "../../ports.ts";
import { type BillingAddress, cardholderFor } from "./cardholder.ts";
import { readable, stripeError } from "./errors.ts";
import { Card, issuedCard, stripeStatus } from "./mapping.ts";
import { stripeWebhooks } from "./webhooks.ts";

export interface StripeConfig {
  /** The secret key, `sk_…` or `rk_…`, with the right to write Issuing. */
  apiKey: string;
  /**
   * The signing secrets, `whsec_…`: Stripe sends requests for authorizations to an endpoint of their own, and each
   * endpoint has its own secret, and two of them while one is rolled.
   */
  webhookSecrets: readonly string[];
  billingAddress: BillingAddress;
  /** What the account may issue in: Stripe issues in the one currency of its country. */
  currencies?: readonly string[] | undefined;
  /** Where the API is, if not at Stripe's own address. */
  baseUrl?: string | undefined;
  /** How long one request may take; 20 seconds where it is not given. */
  timeoutMs?: number | undefined;
  clock: Clock;
}

/** What the parts of the adapter share. */
export interface StripeIssuing {
  readonly billingAddress: Stripe.AddressParam & Stripe.Issuing.CardholderCreateParams.Billing["address"];
  /** Makes one call and reads its answer. Throws {@link IssuerError} for every answer that is not what was asked for. */
  ask<T>(
    name: string,
    answer: z.ZodType<T>,
    call: (issuing: Stripe["issuing"]) => Promise<unknown>,
  ): Promise<T>;
}

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

function stripeClient(config: StripeConfig): StripeIssuing {
  const { timeoutMs = 20_000, clock } = config;
  const { issuing } = stripeSdk({ ...config, timeoutMs });
  const { line1, line2, city, state, postalCode, country } = config.billingAddress;
  return {
    billingAddress: {
      line1,
      city,
      country,
      postal_code: postalCode,
      ...(line2 !== undefined && { line2 }),
      ...(state !== undefined && { state }),
    },
    ask: async (name, answer, call) => {
      const given = await call(issuing).catch((error: unknown) => {
        throw stripeError(name, error, clock);
      });
      return readable(name, answer, given);
    },
  };
}
