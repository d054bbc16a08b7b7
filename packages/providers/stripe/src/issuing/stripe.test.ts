import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import type { CardStatus } from "@purser/cards/ports";
import { namesOf } from "./cardholder.ts";
import { cardRequest, issuerBeforeFake } from "./fake/issuer.ts";

let stripe: Awaited<ReturnType<typeof issuerBeforeFake>>;
beforeAll(async () => (stripe = await issuerBeforeFake(testClock())));
afterAll(async () => stripe.fake.stop());

let cards = 0;
/** Each test has a card, and a person, of its own. */
let request: ReturnType<typeof cardRequest>;
beforeEach(() => {
  cards += 1;
  request = cardRequest({
    cardId: `card_${cards}`,
    cardholder: { id: `user_${cards}`, name: "Ada Lovelace", email: `ada${cards}@example.com` },
  });
});

const made = () =>
  [...stripe.fake.cards.values()].filter(({ metadata }) => metadata["purser_card"] === request.cardId);
const people = () =>
  [...stripe.fake.cardholders.values()].filter(
    ({ metadata }) => metadata["purser_user"] === request.cardholder.id,
  );
const calls = (call: string) => stripe.fake.log.filter((recorded) => recorded.call === call);

describe("stripeIssuer.supports", () => {
  it("issues in the currency of its account, or in any that Stripe issues in", () => {
    expect(["GBP", "EUR", "USD", "JPY"].filter(stripe.issuer.supports)).toEqual(["GBP"]);
    const any = stripe.issuerWith({ currencies: undefined });
    expect(["GBP", "EUR", "USD", "JPY"].filter(any.supports)).toEqual(["GBP", "EUR", "USD"]);
  });
});

describe("stripeIssuer.createCard", () => {
  it("makes an active virtual card for a cardholder, and gives what is shown of it", async () => {
    const card = await stripe.issuer.createCard(request);
    expect(card).toEqual({
      reference: expect.stringMatching(/^ic_/) as string,
      lastFour: expect.stringMatching(/^\d{4}$/) as string,
      expiryMonth: 3,
      expiryYear: 2029,
    });
    expect(made()).toMatchObject([
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

  it("makes one card for a cardId, however often it is asked", async () => {
    const first = await stripe.issuer.createCard(request);
    expect(await stripe.issuer.createCard(request)).toEqual(first);
    const together = await Promise.all([
      stripe.issuer.createCard(request),
      stripe.issuer.createCard(request),
    ]);
    expect(together).toEqual([first, first]);
    expect(made()).toHaveLength(1);
  });

  it("makes one card also where the answer was lost on the way", async () => {
    stripe.fake.fail("POST /v1/issuing/cards", "lost");
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    const card = await stripe.issuer.createCard(request);
    expect(made().map(({ id }) => id)).toEqual([card.reference]);
  });

  it("makes one cardholder for a person, however many cards they have", async () => {
    const others = [1, 2, 3].map((number) => ({ ...request, cardId: `${request.cardId}_${number}` }));
    await Promise.all(others.map((other) => stripe.issuer.createCard(other)));
    await stripe.issuer.createCard(request);
    expect(people()).toHaveLength(1);
    expect(made()).toMatchObject([{ cardholder: { id: people()[0]?.id } }]);
  });

  it("finds a person's cardholder again when Stripe has forgotten the key", async () => {
    await stripe.issuer.createCard(request);
    stripe.fake.forgetKeys();
    await stripe.issuer.createCard({ ...request, cardId: `${request.cardId}_later` });
    expect(people()).toHaveLength(1);
  });

  it("makes another one in another organization, and for another person with the same address", async () => {
    const { cardholder } = request;
    await stripe.issuer.createCard(request);
    await stripe.issuer.createCard({ ...request, cardId: `${request.cardId}_2`, organizationId: "org_2" });
    expect(people()).toHaveLength(2);
    const other = {
      ...request,
      cardId: `${request.cardId}_3`,
      cardholder: { ...cardholder, id: "user_other" },
    };
    await stripe.issuer.createCard(other);
    expect(people()).toHaveLength(2);
  });

  it("takes a new address of a person for another cardholder, and is not refused for it", async () => {
    const { cardholder } = request;
    await stripe.issuer.createCard(request);
    const moved = {
      ...request,
      cardId: `${request.cardId}_2`,
      cardholder: { ...cardholder, email: "x@example.com" },
    };
    await stripe.issuer.createCard(moved);
    expect(people()).toHaveLength(2);
  });

  it("sends a line and a state of the address where there are any", async () => {
    const billingAddress = {
      line1: "1 St",
      line2: "Floor 2",
      city: "NY",
      state: "NY",
      postalCode: "10001",
      country: "US",
    };
    await stripe.issuerWith({ billingAddress }).createCard(request);
    const address = {
      line1: "1 St",
      line2: "Floor 2",
      city: "NY",
      state: "NY",
      postal_code: "10001",
      country: "US",
    };
    expect(people()).toMatchObject([{ billing: { address } }]);
  });

  it("never asks for the number or the CVC", async () => {
    const before = stripe.fake.log.length;
    const { reference } = await stripe.issuer.createCard(request);
    await stripe.issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 1 });
    await stripe.issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 2 });
    const sent = stripe.fake.log.slice(before);
    expect(sent).toHaveLength(6);
    expect(JSON.stringify(sent)).not.toMatch(/expand|number|cvc/);
  });

  it("leaves behind a number that it was not asked for", async () => {
    const shown = { id: "ic_leaky", last4: "0013", exp_month: 12, exp_year: 2030, status: "active" };
    const card = { ...shown, number: "4000009990000013", cvc: "123" };
    stripe.fake.fail("POST /v1/issuing/cards", { status: 200, text: JSON.stringify(card) });
    const issued = await stripe.issuer.createCard(request);
    expect(issued).toEqual({ reference: "ic_leaky", lastFour: "0013", expiryMonth: 12, expiryYear: 2030 });
  });

  it.each([
    ["no number's end", { last4: "13" }],
    ["no month", { exp_month: 13 }],
    ["no year", { exp_year: 30 }],
    ["no id", { id: "" }],
  ])("does not take an answer with %s for a card", async (_what, fields) => {
    const card = { id: "ic_1", last4: "0013", exp_month: 12, exp_year: 2030, status: "active", ...fields };
    stripe.fake.fail("POST /v1/issuing/cards", { status: 200, text: JSON.stringify(card) });
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
  });

  it("is refused for a currency that the account has not", async () => {
    const refused = stripe.issuer.createCard({ ...request, currency: "EUR" });
    await expect(refused).rejects.toMatchObject({ kind: "refused" });
  });

  it("is refused for a person whose name Stripe does not take", async () => {
    const cardholder = { ...request.cardholder, name: "山田 太郎" };
    await expect(stripe.issuer.createCard({ ...request, cardholder })).rejects.toMatchObject({
      kind: "refused",
    });
    expect(people()).toEqual([]);
  });
});

describe("namesOf", () => {
  it.each([
    ["Ada Lovelace", "Ada Lovelace", "Ada", "Lovelace"],
    ["  Ada   King  Lovelace ", "Ada King Lovelace", "Ada King", "Lovelace"],
    ["Zoë Müller-Łukaszewicz", "Zoe Muller-Lukaszewicz", "Zoe", "Muller-Lukaszewicz"],
    ["Søren Groß", "Soren Gross", "Soren", "Gross"],
    ["Sinéad O’Connor", "Sinead O'Connor", "Sinead", "O'Connor"],
    ["Teller", "Teller", "Teller", "Teller"],
    ["R2-D2 (droid) 7", "R -D droid", "R -D", "droid"],
    ["Ada Lovelace 😀", "Ada Lovelace", "Ada", "Lovelace"],
    [
      "Wolfeschlegelsteinhausen Bergerdorff",
      "Wolfeschlegelsteinhausen",
      "Wolfeschlegelsteinhausen",
      "Bergerdorff",
    ],
  ])("writes %j as %j: %j, %j", (name, shown, first, last) => {
    expect(namesOf(name)).toEqual({ name: shown, individual: { first_name: first, last_name: last } });
  });

  it.each(["山田 太郎", "42", "", ". -"])("has no name for %j", (name) => {
    expect(() => namesOf(name)).toThrow("Latin");
  });
});

describe("stripeIssuer.setStatus", () => {
  const set = async (reference: string, status: CardStatus, version: number) =>
    stripe.issuer.setStatus(reference, status, { cardId: request.cardId, version });
  const status = () => made()[0]?.status;

  it.each([
    ["ACTIVE", "active"],
    ["PAUSED", "inactive"],
    ["FROZEN", "inactive"],
    ["CLOSED", "canceled"],
  ] as const)("brings a card that is %s here to %s there", async (ours, theirs) => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, ours, 1);
    expect(status()).toBe(theirs);
  });

  it("does the same change once, and each new one", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, "PAUSED", 1);
    await set(reference, "ACTIVE", 2);
    // Sent again, late: it has been done.
    await set(reference, "PAUSED", 1);
    expect(status()).toBe("active");
    await set(reference, "PAUSED", 3);
    expect(status()).toBe("inactive");
    const keys = calls(`POST /v1/issuing/cards/${reference}`).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([1, 2, 1, 3].map((version) => `purser:card:${request.cardId}:${version}`));
  });

  it("has nothing against closing a closed card", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 2);
    expect(status()).toBe("canceled");
  });

  it.each(["ACTIVE", "PAUSED", "FROZEN"] as const)("does not find a closed card to be %s", async (ours) => {
    const { reference } = await stripe.issuer.createCard(request);
    await set(reference, "CLOSED", 1);
    await expect(set(reference, ours, 2)).rejects.toMatchObject({ kind: "card_not_found" });
  });

  it("does not find a card that Stripe has not", async () => {
    await expect(set("ic_unknown", "PAUSED", 1)).rejects.toMatchObject({ kind: "card_not_found" });
  });

  it("is refused where Stripe refuses, the card being open", async () => {
    const { reference } = await stripe.issuer.createCard(request);
    const error = { type: "invalid_request_error", message: "The cardholder has outstanding requirements." };
    stripe.fake.fail(`POST /v1/issuing/cards/${reference}`, { status: 400, error });
    await expect(set(reference, "ACTIVE", 1)).rejects.toMatchObject({ kind: "refused" });
  });
});
