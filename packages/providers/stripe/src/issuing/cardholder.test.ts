import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type StripeIssuingFake, cardRequest, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { cardholderNames } from "./cardholder.ts";

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

describe("the cardholder of stripeIssuer.createCard", () => {
  it("is created once per person, also for concurrent cards", async () => {
    const others = [1, 2, 3].map((number) => ({ ...request, cardId: `${request.cardId}_${number}` }));
    await Promise.all(others.map((other) => stripe.issuer.createCard(other)));
    await stripe.issuer.createCard(request);
    expect(people()).toHaveLength(1);
    expect(cards()).toMatchObject([{ cardholder: { id: people()[0]?.id } }]);
  });

  it("is found again after the idempotency key has expired", async () => {
    await stripe.issuer.createCard(request);
    stripe.forgetKeys();
    await stripe.issuer.createCard({ ...request, cardId: `${request.cardId}_later` });
    expect(people()).toHaveLength(1);
  });

  it("is created by another request, while Stripe repeats the failure of the first one", async () => {
    const error = { type: "api_error", message: "An unknown error occurred." };
    const fail = () => stripe.fail("POST /v1/issuing/cardholders", { status: 500, error });
    fail();
    fail();
    await expect(stripe.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    await stripe.issuer.createCard({ ...request, cardId: `${request.cardId}_later` });
    expect(people()).toHaveLength(1);
  });

  it("is another one in another organization, and for another person with the same email address", async () => {
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

  it("is the one of an earlier card, also after the person changed the email address", async () => {
    const { cardholder } = request;
    const { reference: earlierCard } = await stripe.issuer.createCard(request);
    const moved = { ...request, cardholder: { ...cardholder, email: "x@example.com" }, earlierCard };
    await stripe.issuer.createCard({ ...moved, cardId: `${request.cardId}_2` });
    const details = { phoneNumber: "+442071234567" };
    const changed = { ...moved, cardholder: { ...moved.cardholder, details } };
    await stripe.issuer.createCard({ ...changed, cardId: `${request.cardId}_3` });
    expect(people()).toMatchObject([{ phone_number: "+442071234567" }]);
  });

  it("is found by the email address if the earlier card is in another account", async () => {
    await stripe.issuer.createCard(request);
    await stripe.issuer.createCard({
      ...request,
      cardId: `${request.cardId}_2`,
      earlierCard: "ic_elsewhere",
    });
    expect(people()).toHaveLength(1);
  });

  it("gets no card once Stripe has rejected the person, and gets one while it reviews them", async () => {
    await stripe.issuer.createCard(request);
    const createWhile = (disabled_reason: "under_review" | "rejected.listed") => {
      people()[0]!.requirements = { disabled_reason, past_due: [] };
      return stripe.issuer.createCard({ ...request, cardId: `${request.cardId}_${disabled_reason}` });
    };
    await createWhile("under_review");
    await expect(createWhile("rejected.listed")).rejects.toMatchObject({ kind: "refused" });
  });

  it("has the optional lines of the billing address", async () => {
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

  it("requires the name of a person whose account name Stripe does not accept", async () => {
    const cardholder = { ...request.cardholder, name: "山田 太郎" };
    await expect(stripe.issuer.createCard({ ...request, cardholder })).rejects.toMatchObject({
      kind: "details_required",
      missing: ["name"],
    });
    expect(people()).toEqual([]);
    const details = { name: { first: "Taro", last: "Yamada" } };
    await stripe.issuer.createCard({ ...request, cardholder: { ...cardholder, details } });
    expect(people()).toMatchObject([{ name: "Taro Yamada" }]);
  });
});

describe("cardholderNames", () => {
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
  ])("converts %j to %j: %j, %j", (name, shown, first, last) => {
    expect(cardholderNames(name)).toEqual({
      name: shown,
      individual: { first_name: first, last_name: last },
    });
  });

  it.each(["山田 太郎", "42", "", ". -"])("throws for %j", (name) => {
    expect(() => cardholderNames(name)).toThrow("Latin");
  });
});
