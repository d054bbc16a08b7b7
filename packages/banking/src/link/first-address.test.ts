import { usualConsentScopes } from "@purser/core";
import { day, minute } from "@purser/core/testing";
import { bankLinks } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingTasks } from "../jobs.ts";
import type { BankProvider } from "../ports.ts";
import { completeLink } from "./service/hosted-links.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let consentId: string;
let connectionId: string;
let firstLink: string;
let teams = 0;

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const later = (milliseconds: number) => new Date(purser.clock.now().getTime() + milliseconds);

/** A bank that renews consents in place, and then leads the person to the address of the consent's first link. */
const renewing = (): Partial<BankProvider> => ({
  createLink: async ({ linkId, renews }) => ({
    url: `https://bank.example/${linkId}`,
    expiresAt: later(30 * minute),
    state: renews?.consentId ?? consentId,
  }),
  completeLink: async (_request, state) => ({ consentId: state, institutionId: bank.providerId }),
  openConsent: async (reference) => ({
    consentId: reference.consentId,
    token: "a token",
    institution: { id: bank.providerId, name: "Sprout", country: "GB", logoUrl: null },
    scopes: [...usualConsentScopes],
    expiresAt: later(90 * day),
    isLimit: true,
  }),
  consentStatus: async () => ({ status: "authorized", expiresAt: later(90 * day) }),
  accounts: async () => [],
  feed: { kind: "window", historyDays: 730, transactions: async function* () {} },
});

beforeAll(async () => {
  const trustedOrigins = ["https://app.example.com"];
  purser = await createTestPurser({ bankOperations: renewing, settings: { trustedOrigins } });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
  teams += 1;
  consentId = `consent-of-team-${teams}`;
  firstLink = await link(bank);
  await returnTo(firstLink);
  ({ id: connectionId } = await banking().connections.connect({ teamId, ...bank, consentId }));
  await purser.drain();
});

const banking = () => purser.as(owner).banking;
const link = async (input: object) =>
  (await banking().link.create({ teamId, ...input })).url.split("/").at(-1)!;
const returnTo = async (id: string) =>
  new URL(await completeLink(purser.platform, id, new URLSearchParams()));
const housekeep = () => Promise.all(bankingTasks(purser.platform).map((task) => task()));
const consents = async () => {
  const [connection] = await banking().connections.list({ teamId });
  return connection!.consents.map(({ id, status }) => ({ id, status }));
};

describe("a return from a renewal to the address of the consent's first link", () => {
  const redirectUrl = "https://app.example.com/renewed";

  it("continues with the renewal, long after the first link has expired", async () => {
    purser.clock.advance(91 * day);
    await housekeep();
    await link({ connectionId });
    await link({ connectionId, redirectUrl });
    expect(await consents()).toEqual([{ id: consentId, status: "REVOKED" }]);
    const target = await returnTo(firstLink);
    expect(`${target.origin}${target.pathname}`).toBe(redirectUrl);
    expect(target.searchParams.get("consentId")).toBe(consentId);
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
  });

  it("is too late once the renewal has expired too", async () => {
    purser.clock.advance(91 * day);
    await link({ connectionId });
    purser.clock.advance(30 * minute);
    expect(await refusalOf(returnTo(firstLink))).toBe("LINK_NOT_FOUND");
  });

  it("does not continue with the link of another team", async () => {
    purser.clock.advance(30 * minute);
    teamId = await purser.organization(owner);
    await link(bank);
    expect(await refusalOf(returnTo(firstLink))).toBe("LINK_NOT_FOUND");
  });
});

describe("an expired link", () => {
  const links = () => purser.db.$count(bankLinks, eq(bankLinks.organizationId, teamId));

  it("stays while its consent may be renewed, and no longer", async () => {
    // The person never finishes this one.
    await link(bank);
    expect(await links()).toBe(2);
    purser.clock.advance(2 * day);
    await housekeep();
    expect(await links()).toBe(1);
    await banking().connections.disconnect({ teamId, connectionId });
    await housekeep();
    expect(await links()).toBe(0);
  });
});
