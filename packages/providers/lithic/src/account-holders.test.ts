import type { CardholderDetails } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lithicCardRequest, startLithicIssuer } from "./fake/issuer.ts";

let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
beforeAll(async () => (lithic = await startLithicIssuer(testClock())));
afterAll(async () => lithic.fake.close());

let people = 0;
beforeEach(() => {
  people += 1;
  lithic.fake.evaluation = "ACCEPTED";
});

const details: CardholderDetails = {
  name: { first: "Ada", last: "Lovelace" },
  dateOfBirth: "1990-12-10",
  phoneNumber: "+15555555555",
  address: { line1: "123 Old Forest Way", city: "Omaha", state: "NE", postalCode: "68022", country: "US" },
  termsAcceptance: { acceptedAt: "2026-03-02T09:00:00.000Z", ip: "203.0.113.7" },
  governmentId: "111-23-1412",
};

const holderOf = (organizationId: string, known: CardholderDetails) => ({
  organizationId,
  cardholder: { id: `user_${people}`, name: "Ada L", email: "ada@example.com", details: known },
});

let cards = 0;
const requestFor = (organizationId = "org_1", known = details) => {
  cards += 1;
  return lithicCardRequest({ cardId: `card_holder_${cards}`, ...holderOf(organizationId, known) });
};

const exempt = () =>
  lithic.issuerWith({ accountHolders: "authorized_user", businessAccount: "acc-business" });
const accountOf = (reference: string) => lithic.fake.cards.get(reference)?.account_token;
const enrolled = () =>
  lithic.fake.accountHolders.filter(({ sent }) => String(sent["external_id"]).endsWith(`:user_${people}`));

const address = {
  address1: "123 Old Forest Way",
  city: "Omaha",
  state: "NE",
  postal_code: "68022",
  country: "USA",
};

describe("lithicIssuer.createCard, in a program that enrolls account holders", () => {
  it("finds a card that is to be closed, whatever the person's details are by now", async () => {
    const issuer = exempt();
    const request = requestFor();
    const { reference } = await issuer.createCard(request);
    const refusal = { status: 400, body: { message: "Invalid phone number" } };
    lithic.fake.fail(`PATCH /v1/account_holders/${enrolled()[0]!.token}`, refusal, refusal);
    await expect(issuer.createCard(request)).rejects.toMatchObject({ kind: "refused" });
    expect(await issuer.createCard({ ...request, isAbandoned: true })).toMatchObject({ reference });
  });

  it("enrolls no person for a card that is to be closed", async () => {
    const request = { ...requestFor(), isAbandoned: true };
    await expect(exempt().createCard(request)).rejects.toMatchObject({ kind: "refused" });
    expect(enrolled()).toEqual([]);
  });

  it("has an account for each person and organization, for all of their cards", async () => {
    const issuer = exempt();
    const first = await issuer.createCard(requestFor());
    const second = await issuer.createCard(requestFor());
    const elsewhere = await issuer.createCard(requestFor("org_2"));
    const accounts = enrolled().map(({ account_token }) => account_token);
    expect(new Set(accounts).size).toBe(2);
    expect([first, second, elsewhere].map(({ reference }) => accountOf(reference))).toEqual([
      accounts[0],
      accounts[0],
      accounts[1],
    ]);
    expect(enrolled()[0]?.sent).toEqual({
      workflow: "KYC_EXEMPT",
      kyc_exemption_type: "AUTHORIZED_USER",
      business_account_token: "acc-business",
      external_id: `org_1:user_${people}`,
      first_name: "Ada",
      last_name: "Lovelace",
      email: "ada@example.com",
      phone_number: "+15555555555",
      address,
    });
  });

  it("sends the current details of a known person, who may have changed them without a card", async () => {
    await exempt().createCard(requestFor());
    await exempt().createCard(requestFor("org_1", { ...details, phoneNumber: "+15555550000" }));
    expect(enrolled()).toMatchObject([{ sent: { phone_number: "+15555550000" } }]);
  });

  it("has one account for cards that are created at once", async () => {
    const issuer = exempt();
    const made = await Promise.all([1, 2, 3].map(() => issuer.createCard(requestFor())));
    const used = new Set(made.map(({ reference }) => accountOf(reference)));
    expect(used).toEqual(new Set([enrolled()[0]?.account_token]));
  });

  it("cannot pass a card to another person", () => {
    expect(exempt().setCardholder).toBeNull();
    expect(lithic.issuer.setCardholder).not.toBeNull();
  });

  it("sends what a KYC asks for", async () => {
    await lithic.issuerWith({ accountHolders: "kyc_basic" }).createCard(requestFor());
    expect(enrolled()[0]?.sent).toMatchObject({
      workflow: "KYC_BASIC",
      tos_timestamp: "2026-03-02T09:00:00.000Z",
      individual: { dob: "1990-12-10", government_id: "111-23-1412", address },
    });
  });

  it("requires the details of its workflow", async () => {
    expect(exempt().missingDetails({})).toEqual(["name", "phoneNumber", "address"]);
    expect(lithic.issuer.missingDetails({})).toEqual([]);
    const { missingDetails } = lithic.issuerWith({ accountHolders: "kyc_basic" });
    expect(missingDetails({})).toHaveLength(6);
    expect(missingDetails(details)).toEqual([]);
    await expect(exempt().createCard(requestFor("org_1", {}))).rejects.toMatchObject({
      kind: "details_required",
      missing: ["name", "phoneNumber", "address"],
    });
    expect(enrolled()).toEqual([]);
  });

  it.each(["PENDING_DOCUMENT", "REJECTED"] as const)(
    "makes no card for a person whom Lithic does not accept, now or later: %s",
    async (evaluation) => {
      lithic.fake.evaluation = evaluation;
      for (let attempt = 1; attempt <= 2; attempt += 1)
        await expect(exempt().createCard(requestFor())).rejects.toMatchObject({ kind: "refused" });
      expect(enrolled()).toHaveLength(1);
    },
  );

  it("takes the account holder that an operator enrolls for a person whom Lithic has rejected", async () => {
    lithic.fake.evaluation = "REJECTED";
    await expect(exempt().createCard(requestFor())).rejects.toMatchObject({ kind: "refused" });
    const [rejected] = enrolled();
    const accepted = { token: "a-holder", account_token: "an-account", status: "ACCEPTED" } as const;
    lithic.fake.accountHolders.push({ ...rejected!, ...accepted });
    const { reference } = await exempt().createCard(requestFor());
    expect(accountOf(reference)).toBe("an-account");
  });

  it.each([
    ["in the USA", {}, { kyc: [], exempt: [] }],
    ["in the USA, without a state", { state: undefined }, { kyc: ["address"], exempt: ["address"] }],
    ["in the USA, with a state's name", { state: "California" }, { kyc: ["address"], exempt: ["address"] }],
    ["in Canada", { country: "CA", state: "ON" }, { kyc: ["address"], exempt: [] }],
    ["in Germany", { country: "DE", state: "BY" }, { kyc: ["address"], exempt: ["address"] }],
  ])("requires an address that Lithic takes: %s", (_where, change, missing) => {
    const known = { ...details, address: { ...details.address!, ...change } };
    expect(lithic.issuerWith({ accountHolders: "kyc_basic" }).missingDetails(known)).toEqual(missing.kyc);
    expect(exempt().missingDetails(known)).toEqual(missing.exempt);
  });

  it("enrolls no person whose address Lithic does not take", async () => {
    const abroad = { ...details, address: { ...details.address!, country: "DE" } };
    const refusal = { kind: "details_required", missing: ["address"] };
    await expect(exempt().createCard(requestFor("org_1", abroad))).rejects.toMatchObject(refusal);
  });
});

describe("lithicIssuer.updateCardholder", () => {
  const renamed = { ...details, name: { first: "Augusta", last: "King" }, phoneNumber: "+15555550000" };

  it("changes the account holder, after a KYC only email and phone", async () => {
    const issuer = exempt();
    await issuer.createCard(requestFor());
    await issuer.updateCardholder("any", holderOf("org_1", renamed));
    expect(enrolled()[0]?.sent).toMatchObject({ first_name: "Augusta", phone_number: "+15555550000" });
    await lithic
      .issuerWith({ accountHolders: "kyc_basic" })
      .updateCardholder("any", holderOf("org_1", details));
    expect(enrolled()[0]?.sent).toMatchObject({ first_name: "Augusta", phone_number: "+15555555555" });
  });

  it("sends the other details of a person whose address Lithic does not take", async () => {
    const issuer = exempt();
    await issuer.createCard(requestFor());
    const moved = { ...renamed, address: { ...details.address!, country: "DE" } };
    await issuer.updateCardholder("any", holderOf("org_1", moved));
    expect(enrolled()[0]?.sent).toMatchObject({ phone_number: "+15555550000", address });
  });

  it("does nothing without an account holder", async () => {
    await exempt().updateCardholder("any", holderOf("org_1", renamed));
    const before = lithic.fake.requests.length;
    await lithic.issuer.updateCardholder("any", holderOf("org_1", renamed));
    expect(lithic.fake.requests).toHaveLength(before);
    expect(enrolled()).toEqual([]);
  });
});
