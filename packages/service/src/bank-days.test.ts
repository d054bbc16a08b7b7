import type { Banks } from "@purser/banking/ports";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { yapilyBank } from "@purser/yapily/bank";
import {
  credentials,
  exampleAccount,
  exampleInstitution,
  exampleTransaction,
  startYapilyFake,
} from "@purser/yapily/fake";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let fake: Awaited<ReturnType<typeof startYapilyFake>>;
let purser: TestPurser;
let owner: Person;

beforeAll(async () => {
  fake = await startYapilyFake();
  const banks: Banks = {
    configured: ["yapily"],
    at: async () => yapilyBank({ ...credentials, baseUrl: fake.url, clock: purser.clock }),
  };
  purser = await createTestPurser({ banks });
  owner = await purser.person();
});
afterAll(async () => {
  await purser.close();
  await fake.close();
});

describe("the sync of a bank that is read by days", () => {
  it.each([
    ["just after midnight", "2026-06-01T22:00:00Z", "2026-06-01T22:00:00Z"],
    ["days after the purchase", "2026-05-27T10:00:00Z", "2026-06-02T10:00:00Z"],
  ])("keeps what it booked %s on the first day of the window", async (_case, date, bookingDateTime) => {
    purser.clock.set("2026-06-10T09:00:00Z");
    const teamId = await purser.organization(owner);
    const institutionId = "bank-de";
    fake.institutions.push(exampleInstitution({ id: institutionId, countries: [{ countryCode2: "DE" }] }));
    const consent = fake.addConsent({ applicationUserId: teamId, institutionId });
    fake.accounts.set(consent.consentToken, [exampleAccount({ id: "current" })]);
    fake.transactions.set("current", [exampleTransaction({ date, bookingDateTime })]);
    const { banking } = purser.as(owner);
    const { id: connectionId } = await banking.connections.connect({
      teamId,
      provider: "yapily",
      providerId: institutionId,
      consentId: consent.id,
    });
    for (const now of ["2026-06-10T10:00:00Z", "2026-06-16T09:00:00Z", "2026-06-16T15:00:00Z"]) {
      purser.clock.set(now);
      await banking.connections.sync({ teamId, connectionId });
    }
    const transactionDate = new Date("2026-06-02T00:00:00Z");
    expect(await banking.transactions.list({ teamId })).toMatchObject([
      { status: "POSTED", transactionDate },
    ]);
    expect(await banking.quarantine.list({ teamId })).toEqual([]);
  });
});
