import type { CardRequest } from "@purser/cards/ports";
import type { Clock } from "@purser/core";
import { lithicIssuer } from "../issuer.ts";
import type { LithicConfig } from "../settings.ts";
import { startFakeLithic } from "./server.ts";

export const asaSecret = `whsec_${Buffer.from("of the requests").toString("base64")}`;
export const eventSecret = `whsec_${Buffer.from("of the events").toString("base64")}`;

/** Starts a fake Lithic and an adapter that calls it. */
export async function startLithicIssuer(clock: Clock) {
  const fake = await startFakeLithic(clock);
  const issuerWith = (config: Partial<LithicConfig> = {}) =>
    lithicIssuer({
      apiKey: fake.apiKey,
      environment: "sandbox",
      webhookSecrets: [asaSecret, eventSecret],
      baseUrl: fake.url,
      clock,
      ...config,
    });
  return { fake, issuerWith, issuer: issuerWith() };
}

export function lithicCardRequest(request: Partial<CardRequest> = {}): CardRequest {
  return {
    cardId: "card_1",
    organizationId: "org_1",
    currency: "USD",
    memo: "Travel",
    cardholder: { id: "user_1", name: "Ada Lovelace", email: "ada@example.com" },
    ...request,
  };
}
