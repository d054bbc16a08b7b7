import type { CardIssuer, CardRequest } from "@purser/cards/ports";
import type { Clock } from "@purser/core";
import { stripeIssuer } from "../../issuing/index.ts";
import type { StripeIssuingConfig } from "../../settings.ts";
import { otherWebhookSecret, stripeWebhookSecret } from "../events.ts";
import { type StripeServer, startStripeServer } from "../server.ts";
import type { IssuingState } from "./routes.ts";

/** A Stripe account without cards, and the adapter connected to it. */
export interface StripeIssuingFake extends StripeServer {
  state: IssuingState;
  issuer: CardIssuer;
  /** Creates an adapter with other settings. */
  issuerWith(config?: Partial<StripeIssuingConfig>): CardIssuer;
}

export async function startStripeIssuingFake(clock: Clock): Promise<StripeIssuingFake> {
  const server = await startStripeServer({ clock });
  const issuerWith = (config: Partial<StripeIssuingConfig> = {}) =>
    stripeIssuer({
      apiKey: server.apiKey,
      webhookSecrets: [stripeWebhookSecret, otherWebhookSecret],
      billingAddress: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
      currencies: ["GBP"],
      baseUrl: server.baseUrl,
      clock,
      ...config,
    });
  return { ...server, state: server.issuing, issuerWith, issuer: issuerWith() };
}

export function cardRequest(request: Partial<CardRequest> = {}): CardRequest {
  return {
    cardId: "card_1",
    organizationId: "org_1",
    currency: "GBP",
    memo: "Travel",
    cardholder: { id: "user_1", name: "Ada Lovelace", email: "ada@example.com" },
    ...request,
  };
}
