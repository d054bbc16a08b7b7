import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StripeIssuingFake, cardRequest, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { stripeIssuingSettings } from "../settings.ts";

let stripe: StripeIssuingFake;
let card: { reference: string; lastFour: string };
beforeAll(async () => {
  stripe = await startStripeIssuingFake(testClock());
  card = await stripe.issuer.createCard(cardRequest());
});
afterAll(async () => stripe.stop());

const display = () => stripe.issuerWith({ publishableKey: "pk_test_purser" }).display!;

const grant = (nonce: string | null) =>
  display().grant(card, { origin: "https://purser.example.com", nonce });

/** Does what Stripe.js does in a browser. */
function makeNonce(reference: string): string {
  const nonce = `ephkn_${stripe.state.nonces.size + stripe.log.length}`;
  stripe.state.nonces.set(nonce, reference);
  return nonce;
}

describe("stripeIssuer.display", () => {
  it("is absent without a publishable key, whose form the settings check", () => {
    expect(stripe.issuer.display).toBeNull();
    const { STRIPE_ISSUING_PUBLISHABLE_KEY: variable } = stripeIssuingSettings.variables;
    expect(variable.parse("pk_live_51AbC")).toBe("pk_live_51AbC");
    // A secret key in the wrong variable would be published.
    for (const secret of ["sk_live_51AbC", "rk_live_51AbC"])
      expect(variable.safeParse(secret).success).toBe(false);
  });

  it("names the publishable key to the page", () => {
    expect(display().component).toEqual({ kind: "stripe-elements", publishableKey: "pk_test_purser" });
  });

  it("exchanges the browser's nonce for a key to that card, and asks for no number", async () => {
    const nonce = makeNonce(card.reference);
    expect(await grant(nonce)).toEqual({
      kind: "stripe-elements",
      ephemeralKeySecret: expect.stringMatching(/^ek_test_/),
    });
    expect(stripe.log.at(-1)).toMatchObject({
      call: "POST /v1/ephemeral_keys",
      fields: { issuing_card: card.reference, nonce },
    });
  });

  it("refuses a nonce that is used, or was made for another card", async () => {
    const nonce = makeNonce(card.reference);
    await grant(nonce);
    const failures = [nonce, makeNonce("ic_other"), null].map((one) => grant(one));
    for (const { reason } of (await Promise.allSettled(failures)) as PromiseRejectedResult[])
      expect(reason).toMatchObject({ name: "IssuerError", kind: "refused" });
  });

  it("fails with an outage if Stripe's answer has no secret", async () => {
    stripe.fail("POST /v1/ephemeral_keys", { status: 500, error: { type: "api_error" } });
    await expect(grant(makeNonce(card.reference))).rejects.toMatchObject({ kind: "outage" });
    stripe.fail("POST /v1/ephemeral_keys", { status: 200, text: '{"object":"ephemeral_key"}' });
    await expect(grant(makeNonce(card.reference))).rejects.toMatchObject({ kind: "outage" });
  });
});
