import type { Clock } from "@purser/core";
import type { CardRequest } from "../../../ports.ts";
import { type StripeConfig, stripeIssuer } from "../stripe.ts";
import { startFakeStripe } from "./stripe.ts";

export const webhookSecret = "whsec_of_the_endpoint_for_requests";

/** The adapter before a fake Stripe. */
export async function issuerBeforeFake(clock: Clock) {
  const fake = await startFakeStripe();
  const issuerWith = (config: Partial<StripeConfig> = {}) =>
    stripeIssuer({
      apiKey: fake.apiKey,
      webhookSecrets: [webhookSecret, "whsec_of_the_endpoint_for_events"],
      billingAddress: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
      currencies: ["GBP"],
      baseUrl: fake.url,
      clock,
      ...config,
    });
  return { fake, issuerWith, issuer: issuerWith() };
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
