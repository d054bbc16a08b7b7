import type { CardStatus } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type StripeIssuingFake, cardRequest, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { fakeCard } from "../fake/issuing/objects.ts";

let stripe: StripeIssuingFake;
beforeAll(async () => (stripe = await startStripeIssuingFake(testClock())));
afterAll(async () => stripe.stop());

let tests = 0;
/** Each test uses a new card and a new person. */
let request: ReturnType<typeof cardRequest>;
beforeEach(() => {
  tests += 1;
  request = cardRequest({
    cardId: `card_${tests}`,
    cardholder: { id: `user_${tests}`, name: "Ada Lovelace", email: `ada${tests}@example.com` },
  });
});

const cards = () =>
  [...stripe.state.cards.values()].filter(({ metadata }) => metadata["purser_card"] === request.cardId);
const people = () =>
  [...stripe.state.cardholders.values()].filter(
    ({ metadata }) => metadata["purser_user"] === request.cardholder.id,
  );

describe("stripeIssuer.supports", () => {
  it("accepts the currencies of its account; by default all that Stripe issues in", () => {
    expect(["GBP", "EUR", "USD", "JPY"].filter(stripe.issuer.supports)).toEqual(["GBP"]);
    const byDefault = stripe.issuerWith({ currencies: undefined });
    expect(["GBP", "EUR", "USD", "JPY"].filter(byDefault.supports)).toEqual(["GBP", "EUR", "USD"]);
  });
});

describe("stripeIssuer.createCard", () => {
  it("creates an active virtual card for a cardholder", async () => {
    const card = await stripe.issuer.createCard(request);
    expect(card).toEqual({
      reference: expect.stringMatching(/^ic_/) as string,
      lastFour: expect.stringMatching(/^\d{4}$/) as string,
      expiryMonth: 3,
      expiryYear: 2029,
    });
    expect(cards()).toMatchObject([
      {
        id: card.reference,
        type: "virtual",
        status: "active",
        currency: "gbp",
        metadata: { purser_card: request.cardId, purser_organization: "org_1", memo: "Travel" },
      },
    ]);
    expect(people()).toMatchObject([
      {
        type: "individual",
        name: "Ada Lovelace",
        email: request.cardholder.email,
        individual: { first_name: "Ada", last_name: "Lovelace" },
        billing: {
          address: { line1: "1 Lime Street", city: "London", postal_code: "EC3M 7AA", country: "GB" },
        },
      },
    ]);
  });

  it("lifts Stripe's default limit of 500 a day, since the policy decides", async () => {
    await stripe.issuer.createCard(request);
    expect(cards()[0]!.spending_controls.spending_limits).toEqual([
      { amount: 1_000_000, categories: null, interval: "per_authorization" },
    ]);
  });

  it("creates one card per cardId in repeated and concurrent calls", async () => {
    const first = await stripe.issuer.createCard(request);
    expect(await stripe.issuer.createCard(request)).toEqual(first);
    const concurrent = await Promise.all([
      stripe.issuer.createCard(request),
      stripe.issuer.createCard(request),
    ]);
    expect(concurrent).toEqual([first, first]);
    expect(cards()).toHaveLength(1);
  });

  it("creates one card also after a lost response", async () => {
    stripe.fail("POST /v1/issuing/cards", "lost");
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    const card = await stripe.issuer.createCard(request);
    expect(cards().map(({ id }) => id)).toEqual([card.reference]);
  });

  it("finds the card that another version of the service has requested with other parameters", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    const card = await stripe.issuer.createCard({ ...request, memo: "Renamed" });
    expect(card).toMatchObject({ reference });
    expect(cards()).toHaveLength(1);
  });

  it("finds the card that a failed request has made, while Stripe repeats the failure", async () => {
    const { cardId } = request;
    const { reference } = await stripe.issuer.createCard({ ...request, cardId: `${cardId}_before` });
    const { cardholder } = stripe.state.cards.get(reference)!;
    const error = { type: "api_error", message: "An unknown error occurred." };
    stripe.fail("POST /v1/issuing/cards", { status: 500, error });
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    const made = fakeCard({ id: `ic_made_${tests}`, cardholder, metadata: { purser_card: cardId } });
    stripe.state.cards.set(made.id, made);
    expect(await stripe.issuer.createCard(request)).toMatchObject({ reference: made.id });
  });

  it("finds a card that is to be closed without details of its holder, and creates no cardholder for it", async () => {
    const { cardholder } = request;
    const { reference } = await stripe.issuer.createCard(request);
    const gone = {
      ...request,
      cardholder: { ...cardholder, name: "", email: "moved@example.com" },
      isAbandoned: true,
    };
    expect(await stripe.issuer.createCard(gone)).toMatchObject({ reference });
    const never = { ...request, cardId: `${request.cardId}_never`, cardholder: { ...cardholder, id: "new" } };
    const { size } = stripe.state.cardholders;
    await expect(stripe.issuer.createCard({ ...never, isAbandoned: true })).rejects.toMatchObject({
      kind: "refused",
    });
    expect(stripe.state.cardholders.size).toBe(size);
  });

  it("never requests the number or the CVC", async () => {
    const before = stripe.log.length;
    const { reference } = await stripe.issuer.createCard(request);
    await stripe.issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 1 });
    await stripe.issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 2 });
    const sent = stripe.log.slice(before);
    expect(sent).toHaveLength(6);
    expect(JSON.stringify(sent)).not.toMatch(/expand|number|cvc/);
  });

  it("drops a number that a response holds", async () => {
    const fields = { id: "ic_leaky", last4: "0013", exp_month: 12, exp_year: 2030, status: "active" };
    const card = { ...fields, number: "4000009990000013", cvc: "123" };
    stripe.fail("POST /v1/issuing/cards", { status: 200, text: JSON.stringify(card) });
    const issued = await stripe.issuer.createCard(request);
    expect(issued).toEqual({ reference: "ic_leaky", lastFour: "0013", expiryMonth: 12, expiryYear: 2030 });
  });

  it.each([
    ["short last digits", { last4: "13" }],
    ["an invalid month", { exp_month: 13 }],
    ["an invalid year", { exp_year: 30 }],
    ["an empty id", { id: "" }],
  ])("throws for a response with %s", async (_case, fields) => {
    const card = { id: "ic_1", last4: "0013", exp_month: 12, exp_year: 2030, status: "active", ...fields };
    stripe.fail("POST /v1/issuing/cards", { status: 200, text: JSON.stringify(card) });
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws refused for a currency that the account does not issue in", async () => {
    const refused = stripe.issuer.createCard({ ...request, currency: "EUR" });
    await expect(refused).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("stripeIssuer.setStatus", () => {
  const set = async (reference: string, status: CardStatus, version: number) =>
    stripe.issuer.setStatus(reference, status, { cardId: request.cardId, version });
  const status = () => cards()[0]?.status;

  it.each([
    ["ACTIVE", "active"],
    ["PAUSED", "inactive"],
    ["FROZEN", "inactive"],
    ["CLOSED", "canceled"],
  ] as const)("sets a card that is %s here to %s at Stripe", async (ours, theirs) => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, ours, 1);
    expect(status()).toBe(theirs);
  });

  it("sets a status again after a late request for an earlier one", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, "ACTIVE", 2);
    await set(reference, "PAUSED", 1);
    expect(status()).toBe("inactive");
    await set(reference, "ACTIVE", 2);
    expect(status()).toBe("active");
  });

  it("sets a status again after a failure", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    const error = { type: "api_error", message: "An unknown error occurred." };
    stripe.fail(`POST /v1/issuing/cards/${reference}`, { status: 500, error });
    await expect(set(reference, "PAUSED", 1)).rejects.toMatchObject({ kind: "outage" });
    await set(reference, "PAUSED", 1);
    expect(status()).toBe("inactive");
  });

  it("accepts closing a closed card", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 2);
    expect(status()).toBe("canceled");
  });

  it.each(["ACTIVE", "PAUSED", "FROZEN"] as const)(
    "throws card_not_found for setting a closed card to %s",
    async (ours) => {
      const { reference } = await stripe.issuer.createCard(request);
      await set(reference, "CLOSED", 1);
      await expect(set(reference, ours, 2)).rejects.toMatchObject({ kind: "card_not_found" });
    },
  );

  it("throws card_not_found for an unknown card", async () => {
    await expect(set("ic_unknown", "PAUSED", 1)).rejects.toMatchObject({ kind: "card_not_found" });
  });

  it("throws refused if Stripe refuses to change an open card", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    const error = { type: "invalid_request_error", message: "The cardholder has outstanding requirements." };
    stripe.fail(`POST /v1/issuing/cards/${reference}`, { status: 400, error });
    await expect(set(reference, "ACTIVE", 1)).rejects.toMatchObject({ kind: "refused" });
  });
});
