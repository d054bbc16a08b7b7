import type { CardholderDetails } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type StripeIssuingFake, cardRequest, startStripeIssuingFake } from "../fake/issuing/index.ts";

let stripe: StripeIssuingFake;
beforeAll(async () => (stripe = await startStripeIssuingFake(testClock())));
afterAll(async () => stripe.stop());

let people = 0;
let person: { id: string; name: string; email: string };
beforeEach(() => {
  people += 1;
  stripe.state.required = [];
  person = { id: `user_${people}`, name: "Ada L", email: `ada${people}@example.com` };
});

const details: CardholderDetails = {
  name: { first: "Ada", last: "Lovelace" },
  dateOfBirth: "1990-12-10",
  phoneNumber: "+442071234567",
  address: { line1: "2 Oak Street", city: "Leeds", state: "W", postalCode: "LS1 1AA", country: "GB" },
  termsAcceptance: { acceptedAt: "2026-03-02T09:00:00.000Z", ip: "203.0.113.7" },
  governmentId: "123-45-6789",
};

const create = (known: CardholderDetails, cardId = `card_details_${people}`) =>
  stripe.issuer.createCard(cardRequest({ cardId, cardholder: { ...person, details: known } }));

const cardholders = () =>
  [...stripe.state.cardholders.values()].filter(({ metadata }) => metadata["purser_user"] === person.id);

const inStripesForm = {
  phone_number: "+442071234567",
  billing: { address: { line1: "2 Oak Street", city: "Leeds", state: "W", postal_code: "LS1 1AA" } },
  individual: {
    first_name: "Ada",
    last_name: "Lovelace",
    dob: { day: 10, month: 12, year: 1990 },
    card_issuing: { user_terms_acceptance: { date: 1_772_442_000, ip: "203.0.113.7" } },
  },
};

const requirements = ["individual.dob.day", "individual.card_issuing.user_terms_acceptance.date"];

describe("the details of a Stripe cardholder", () => {
  it("are sent when the cardholder is created, but for the government id", async () => {
    await create(details);
    expect(cardholders()).toMatchObject([inStripesForm]);
    expect(JSON.stringify(cardholders())).not.toContain("6789");
  });

  it("are sent to the cardholder of a card, also under another email address", async () => {
    const { reference } = await create({});
    const moved = { ...person, email: "moved@example.com", details };
    await stripe.issuer.updateCardholder(reference, { organizationId: "org_1", cardholder: moved });
    expect(cardholders()).toMatchObject([inStripesForm]);
  });

  it("are sent with each new card, since they may have changed while the person had none", async () => {
    await create({ phoneNumber: "+441111111111" });
    await create(details, `card_details_${people}_again`);
    expect(cardholders()).toMatchObject([inStripesForm]);
  });

  it("need no update of a known cardholder if there are none", async () => {
    await create({});
    const before = stripe.log.length;
    await create({}, `card_details_${people}_again`);
    expect(stripe.log.slice(before).map(({ call }) => call)).toEqual([
      "GET /v1/issuing/cardholders",
      "POST /v1/issuing/cards",
    ]);
  });

  it("are required where Stripe asks for them, and complete a cardholder who lacked them", async () => {
    stripe.state.required = requirements;
    await expect(create({ phoneNumber: "+442071234567" })).rejects.toMatchObject({
      kind: "details_required",
      missing: ["dateOfBirth", "termsAcceptance"],
    });
    await create(details);
    expect(cardholders()).toMatchObject([{ requirements: { past_due: [] } }]);
  });

  it("are not required of the cardholder of a card that is to be closed", async () => {
    const cardId = `card_details_${people}`;
    const { reference } = await create(details);
    cardholders()[0]!.requirements = { disabled_reason: "requirements.past_due", past_due: requirements };
    // More cards have been issued since than Stripe lists at once.
    stripe.fail("GET /v1/issuing/cards", { status: 200, text: '{"data":[]}' });
    const request = cardRequest({ cardId, cardholder: { ...person, name: "", details: {} } });
    expect(await stripe.issuer.createCard({ ...request, isAbandoned: true })).toMatchObject({ reference });
  });

  it("need an IP address with the acceptance of terms", async () => {
    stripe.state.required = requirements;
    const inProcess = { ...details, termsAcceptance: { acceptedAt: "2026-03-02T09:00:00.000Z", ip: null } };
    await expect(create(inProcess)).rejects.toMatchObject({ missing: ["termsAcceptance"] });
  });

  it("are required as the operator says", () => {
    const requiredDetails = ["phoneNumber", "termsAcceptance"] as const;
    const { missingDetails } = stripe.issuerWith({ requiredDetails });
    expect(missingDetails({})).toEqual(requiredDetails);
    expect(missingDetails(details)).toEqual([]);
    expect(stripe.issuer.missingDetails({})).toEqual([]);
  });
});
