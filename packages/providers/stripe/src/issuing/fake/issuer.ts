import type { Clock } from "@purser/core";
import { webhookSecret } from "../../fake/events.ts";
import { startServer } from "../../fake/server.ts";
import type { CardRequest } from "@purser/cards/ports";
import type { StripeConfig } from "../settings.ts";
import { stripeIssuer } from "../index.ts";
import { type FakeState, respond } from "./routes.ts";

/** The adapter before a fake Stripe, which has nothing yet. */
export async function issuerBeforeFake(clock: Clock) {
  const state: FakeState = { cardholders: new Map(), cards: new Map(), currency: "gbp" };
  const server = await startServer((call, fields) => respond(state, call, fields));
  const fake = { ...server, ...state };
  const issuerWith = (config: Partial<StripeConfig> = {}) =>
    stripeIssuer({
      apiKey: fake.apiKey,
      webhookSecrets: [webhookSecret, "whsec_of_the_endpoint_for_events"],
      billingAddress: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
      currencies: ["GBP"],
      baseUrl: fake.baseUrl,
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
