import { Problem } from "@purser/core";
import {
  auditEntries,
  cardholders,
  cards as cardTable,
  idempotencyKeys,
  idempotencyResults,
} from "@purser/db";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  outcomeOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { IssuerError } from "../ports.ts";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { type FlakyIssuer, flakyIssuer } from "../testing/flaky-issuer.ts";

let issuer: FlakyIssuer;
let purser: TestPurser;
let member: Person;
let fixture: CardFixture;
let policyId: string;

beforeAll(async () => {
  issuer = flakyIssuer();
  purser = await createTestPurser({ issuers: issuer.issuers });
});
afterAll(() => purser.close());
beforeEach(async () => {
  Object.assign(issuer, { failure: "none", required: [], whileCreating: async () => undefined });
  issuer.people.clear();
  member = await purser.person();
  fixture = await createCardFixture(purser, { members: [member] });
  policyId = await fixture.policy();
});

const ada = {
  name: { first: "Ada", last: "Lovelace" },
  dateOfBirth: "1990-12-10",
  phoneNumber: "+442071234567",
  address: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
};

type Patch = Omit<
  Parameters<ReturnType<TestPurser["as"]>["cards"]["cardholder"]["update"]>[0],
  "organizationId"
>;

const update = (patch: Patch, person = member, options: Parameters<TestPurser["as"]>[1] = {}) =>
  purser.as(person, options).cards.cardholder.update({ organizationId: fixture.organizationId, ...patch });

const newCard = () => fixture.card({ policyId }, member.userId);

const stored = () =>
  purser.db.select().from(cardholders).where(eq(cardholders.organizationId, fixture.organizationId));

/** All rows of the tables that may hold what a caller sent, as text. */
async function everythingStored(): Promise<string> {
  const jobs = await purser.db.execute(sql`SELECT * FROM pgboss.job`);
  const rows = await Promise.all(
    [cardholders, auditEntries, idempotencyKeys, idempotencyResults, cardTable].map((table) =>
      purser.db.select().from(table),
    ),
  );
  return JSON.stringify([jobs, rows]);
}

describe("cards.cardholder.get", () => {
  it("returns what is on record of the caller, what issuers require, and none of the details", async () => {
    const { organizationId } = fixture;
    const get = (person: Person) => purser.as(person).cards.cardholder.get({ organizationId });
    issuer.required = ["phoneNumber", "address"];
    await update({ phoneNumber: ada.phoneNumber });
    const key = { organizationId, userId: member.userId };
    expect(await get(member)).toEqual({ ...key, provided: ["phoneNumber"], missing: ["address"] });
    expect((await get(fixture.owner)).provided).toEqual([]);
    const stranger = await purser.person();
    expect(await refusalOf(get(stranger))).toBe("ORGANIZATION_NOT_FOUND");
  });
});

describe("cards.cardholder.update", () => {
  it("stores the details sealed, and returns, audits and enqueues none of them", async () => {
    await newCard();
    const patch = { ...ada, acceptsTerms: true, governmentId: "123-45-6789" } as const;
    const state = await update(patch, member, { idempotencyKey: "once", address: "203.0.113.7" });
    // A date of birth could be guessed from its fingerprint.
    const [claim] = await purser.db.select().from(idempotencyKeys);
    expect(claim!.fingerprint).toMatch(/^v1\./);
    expect(state).toEqual({
      organizationId: fixture.organizationId,
      userId: member.userId,
      provided: ["name", "dateOfBirth", "phoneNumber", "address", "termsAcceptance", "governmentId"],
      missing: [],
    });
    const text = await everythingStored();
    for (const detail of ["Lovelace", "1990-12-10", "442071234567", "Lime Street", "203.0.113.7", "45-6789"])
      expect(text).not.toContain(detail);
    const listed = await purser.as(fixture.owner).cards.list({ organizationId: fixture.organizationId });
    expect(JSON.stringify(listed)).not.toContain("Lovelace");
    const [entry] = await purser.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, member.userId));
    expect(entry?.details).toEqual({ changed: state.provided });
  });

  it("records the time and the address from which the terms were accepted", async () => {
    const card = await newCard();
    await update({ acceptsTerms: true }, member, { address: "203.0.113.7" });
    await purser.drain();
    const acceptedAt = purser.clock.now().toISOString();
    expect(issuer.people.get(card.reference)?.details).toEqual({
      termsAcceptance: { acceptedAt, ip: "203.0.113.7" },
    });
  });

  it("leaves absent fields unchanged, erases null ones, and repeats with the same key once", async () => {
    await update(ada);
    const key = { idempotencyKey: "second" };
    const second = await update({ dateOfBirth: null, phoneNumber: "+4915112345678" }, member, key);
    expect(second.provided).toEqual(["name", "phoneNumber", "address"]);
    const [before] = await stored();
    expect(await update({ dateOfBirth: null, phoneNumber: "+4915112345678" }, member, key)).toEqual(second);
    expect(await update({})).toEqual(second);
    expect(await stored()).toEqual([before]);
    expect(await refusalOf(update({ dateOfBirth: "1990-12-11" }, member, key))).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
  });

  it("repeats with the same key also after the caller has left", async () => {
    const key = { idempotencyKey: "third" };
    const first = await update(ada, member, key);
    const { members } = purser.as(fixture.owner).organizations;
    const list = await members.list({ organizationId: fixture.organizationId });
    await members.remove({ membershipId: list.find(({ userId }) => userId === member.userId)!.id });
    expect(await update(ada, member, key)).toEqual(first);
    expect(await refusalOf(update({ ...ada, dateOfBirth: "1990-12-11" }, member, key))).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
  });

  it("refuses a date of birth in the future, and details that cannot be", async () => {
    for (const patch of [
      { dateOfBirth: "2126-01-01" },
      { dateOfBirth: "1990-02-30" },
      { phoneNumber: "0207 1234567" },
      { address: { ...ada.address, country: "UK1" } },
      { name: { first: "Ada\nBcc: x", last: "L" } },
      { governmentId: "12" },
    ])
      expect(await refusalOf(update(patch))).toBe("VALIDATION_FAILED");
    expect(await stored()).toEqual([]);
  });

  it("is about the caller in one organization", async () => {
    await update(ada);
    const stranger = await purser.person();
    expect(await refusalOf(update(ada, stranger))).toBe("ORGANIZATION_NOT_FOUND");
    expect((await update({}, fixture.owner)).provided).toEqual([]);
    const elsewhere = await createCardFixture(purser, { members: [member] });
    const { organizationId } = elsewhere;
    const { provided } = await purser.as(member).cards.cardholder.update({ organizationId });
    expect(provided).toEqual([]);
  });

  it("sends changes to the issuer of each open card, after an outage too", async () => {
    const cards = [await newCard(), await newCard()];
    issuer.failure = "outage";
    await update(ada);
    await purser.drain();
    issuer.failure = "none";
    await update({ phoneNumber: "+4915112345678" });
    await purser.drain({ ahead: true });
    const details = { ...ada, phoneNumber: "+4915112345678" };
    for (const { reference } of cards) expect(issuer.people.get(reference)?.details).toEqual(details);
  });

  it.each([
    ["refuses them for another card", new IssuerError("refused", "Refused"), true],
    ["has no other card any more", new IssuerError("card_not_found", "Gone"), false],
    ["of another card is not configured any more", null, false],
  ])("sends changes to the issuer of a card even if an issuer %s", async (_case, failure, isRepeated) => {
    const [older, newer] = [await newCard(), await newCard()];
    if (failure === null)
      await purser.db.update(cardTable).set({ issuer: "lithic" }).where(eq(cardTable.id, older.id));
    const { at } = issuer.issuers;
    const sent: string[] = [];
    issuer.issuers.at = async (name) => {
      if (name !== "sandbox") throw new Problem("PROVIDER_NOT_CONFIGURED");
      const sandbox = await at(name);
      const updateCardholder: typeof sandbox.updateCardholder = async (reference, holder) => {
        sent.push(reference);
        if (reference === older.reference) throw failure!;
        await sandbox.updateCardholder(reference, holder);
      };
      return { ...sandbox, updateCardholder };
    };
    onTestFinished(() => void (issuer.issuers.at = at));
    await update(ada);
    await purser.drain();
    expect(issuer.people.get(newer.reference)?.details).toEqual(ada);
    await purser.drain({ ahead: true });
    const calls = sent.filter((reference) => reference === older.reference).length;
    expect(calls > 1).toBe(isRepeated);
  });

  it("sends a change that happens while the card is issued", async () => {
    await update(ada);
    issuer.whileCreating = async () => {
      await update({ phoneNumber: "+4915112345678" });
      await purser.drain();
    };
    const { reference } = await newCard();
    expect(issuer.people.get(reference)?.details).toEqual(ada);
    await purser.drain();
    expect(issuer.people.get(reference)?.details?.phoneNumber).toBe("+4915112345678");
  });

  it("is erased when the person leaves, whatever happens at the same time", async () => {
    await update(ada);
    const { organizationId } = fixture;
    const { members } = purser.as(fixture.owner).organizations;
    const all = await members.list({ organizationId });
    const { id: membershipId } = all.find(({ userId }) => userId === member.userId)!;
    const [outcome] = await Promise.all([
      outcomeOf(update({ phoneNumber: "+4915112345678" })),
      members.remove({ membershipId }),
    ]);
    expect(["ok", "ORGANIZATION_NOT_FOUND"]).toContain(outcome);
    expect(await stored()).toEqual([]);
  });
});

describe("cards.create, at an issuer that requires details of the cardholder", () => {
  it("says what is missing and who provides it, and issues the card once it is there", async () => {
    issuer.required = ["dateOfBirth", "phoneNumber"];
    const before = issuer.cards.size;
    const refusal = await newCard().then(
      () => null,
      (error: unknown) => problemOf(error),
    );
    expect(refusal).toMatchObject({ code: "CARDHOLDER_DETAILS_REQUIRED", status: 409 });
    expect(refusal?.message).toContain("date of birth and phone number");
    expect(refusal?.message).toContain("cards.cardholder.update");
    expect(issuer.cards.size).toBe(before);
    const { missing } = await update({ phoneNumber: ada.phoneNumber });
    expect(missing).toEqual(["dateOfBirth"]);
    expect((await update({ dateOfBirth: ada.dateOfBirth })).missing).toEqual([]);
    const { reference } = await newCard();
    const { phoneNumber, dateOfBirth } = ada;
    expect(issuer.people.get(reference)?.details).toEqual({ phoneNumber, dateOfBirth });
  });

  it("passes on what the issuer itself asks for, and leaves no card behind", async () => {
    issuer.failure = "details required";
    const refusal = () =>
      newCard().then(
        () => null,
        (error: unknown) => problemOf(error),
      );
    const required = await refusal();
    expect(required?.code).toBe("CARDHOLDER_DETAILS_REQUIRED");
    expect(required?.message).toContain("date of birth");
    issuer.failure = "refusal";
    expect((await refusal())?.message).toContain("An operator finds its reason in the log");
    await purser.drain({ ahead: true });
    const { organizationId } = fixture;
    const rows = await purser.db.select().from(cardTable).where(eq(cardTable.organizationId, organizationId));
    expect(rows).toEqual([]);
  });
});
