import { day, minute } from "@purser/core/testing";
import { bankConsents, bankLinks } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, problemOf, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError } from "../ports.ts";
import { approveLink, refuseLink } from "../sandbox/links.ts";
import { completeLink } from "./service/hosted-links.ts";

const frontEnd = "https://app.example.com";
let purser: TestPurser;
let owner: Person;
let teamId: string;
/** Whether the provider no longer names the institutions that it reads. */
let namesNone: boolean;

beforeAll(async () => {
  const trustedOrigins = ["http://localhost:3000", frontEnd];
  const institution = async () => Promise.reject(new BankError("institution_not_found", "Not named"));
  const bankOperations = () => (namesNone ? { institution } : {});
  purser = await createTestPurser({ bankOperations, settings: { trustedOrigins } });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
  namesNone = false;
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const banking = () => purser.as(owner).banking;
const create = (input: object = bank) => banking().link.create({ teamId, ...input });
const connect = (consentId: string) => banking().connections.connect({ teamId, ...bank, consentId });

/** The id of the link of a sandbox page. */
const idOf = ({ url }: { url: string }) => url.split("/").at(-1)!;

/** Gives the consent on the bank's page. Returns the parameters with which the browser comes back. */
async function approve(linkId: string): Promise<URLSearchParams> {
  const choice = { customerName: "Ada", accounts: [0, 2], transactions: true, days: 60 };
  return new URL((await approveLink(purser.platform, linkId, choice))!).searchParams;
}

const complete = async (linkId: string, query: URLSearchParams) =>
  new URL(await completeLink(purser.platform, linkId, query));

async function give(input: object = bank): Promise<string> {
  const linkId = idOf(await create(input));
  return (await complete(linkId, await approve(linkId))).searchParams.get("consentId")!;
}

describe("banking.link.create", () => {
  it("returns the bank's page and its expiry, and nothing else", async () => {
    const link = await create();
    expect(link).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:3000\/sandbox\/bank\/lnk_[0-9a-z]{26}$/),
      expiresAt: new Date(purser.clock.now().getTime() + 30 * minute),
    });
    expect((await create()).url).not.toBe(link.url);
  });

  it("creates one link per idempotency key", async () => {
    const keyed = purser.as(owner, { idempotencyKey: "link" }).banking.link;
    expect(await keyed.create({ teamId, ...bank })).toEqual(await keyed.create({ teamId, ...bank }));
    expect(await purser.db.$count(bankLinks, eq(bankLinks.organizationId, teamId))).toBe(1);
  });

  it.each([
    ["nothing to link", {}, "VALIDATION_FAILED"],
    ["a provider alone, where the page is of one bank", { provider: "sandbox" }, "NOT_SUPPORTED_BY_PROVIDER"],
    ["an unknown provider", { ...bank, provider: "tink" }, "VALIDATION_FAILED"],
    ["a provider without settings", { ...bank, provider: "plaid" }, "PROVIDER_NOT_CONFIGURED"],
    ["an unknown institution", { providerId: "no-bank" }, "INSTITUTION_NOT_FOUND"],
    ["an unknown connection", { connectionId: "bcn_1" }, "CONNECTION_NOT_FOUND"],
    ["an unknown field", { ...bank, consentId: "ada" }, "VALIDATION_FAILED"],
  ])("refuses %s", async (_what, input, code) => {
    expect(await refusalOf(create(input))).toBe(code);
    expect(await purser.db.$count(bankLinks, eq(bankLinks.organizationId, teamId))).toBe(0);
  });

  it.each([
    "https://evil.example.com/back",
    "https://app.example.com.evil.example.com/",
    "https://app.example.com@evil.example.com/",
    "http://app.example.com/",
    "https://app.example.com:8443/",
    "//app.example.com/",
    "/back",
    "javascript:alert(1)",
    "purser://back",
    "",
  ])("never redirects to %j", async (redirectUrl) => {
    expect(await refusalOf(create({ ...bank, redirectUrl }))).toBe("VALIDATION_FAILED");
  });

  it("renews the consent of this team's connections only, at their own bank", async () => {
    const { id: connectionId } = await connect("ada");
    expect((await create({ connectionId })).url).toContain("lnk_");
    expect((await create({ connectionId, ...bank })).url).toContain("lnk_");
    const elsewhere = { connectionId, providerId: "sandbox-bank" };
    expect(await refusalOf(create(elsewhere))).toBe("CONNECTION_NOT_FOUND");
    teamId = await purser.organization(owner);
    expect(await refusalOf(create({ connectionId }))).toBe("CONNECTION_NOT_FOUND");
  });
});

describe("an institution that the provider no longer names", () => {
  it("has links for its connections, also for those whose consent has ended, and none for a new one", async () => {
    const { id: connectionId } = await connect("ada");
    namesNone = true;
    expect((await create({ connectionId })).url).toContain("lnk_");
    await banking().connections.disconnect({ teamId, connectionId });
    expect((await create({ connectionId })).url).toContain("lnk_");
    expect(await refusalOf(create())).toBe("INSTITUTION_NOT_FOUND");
  });
});

describe("a person who comes back from the bank", () => {
  it("is redirected to the front end with the input for connecting, which connects the team", async () => {
    const linkId = idOf(await create({ ...bank, redirectUrl: `${frontEnd}/banks?tab=1#top` }));
    const target = await complete(linkId, await approve(linkId));
    const { consentId, ...rest } = Object.fromEntries(target.searchParams);
    expect(rest).toEqual({ tab: "1", teamId, ...bank });
    expect(`${target.origin}${target.pathname}${target.hash}`).toBe(`${frontEnd}/banks#top`);
    const connection = await connect(consentId!);
    expect(connection.consents).toEqual([
      {
        id: consentId,
        status: "AUTHORIZED",
        scopes: ["accounts", "balances", "transactions"],
        expiresAt: new Date(purser.clock.now().getTime() + 60 * day),
        revokedAt: null,
      },
    ]);
    const accounts = await banking().accounts.list({ teamId });
    expect(accounts.map(({ type }) => type).toSorted()).toEqual(["CHECKING", "CREDIT"]);
  });

  it("sees our own page if the front end named none, and may reload it", async () => {
    const linkId = idOf(await create());
    const query = await approve(linkId);
    const target = await complete(linkId, query);
    expect(`${target.origin}${target.pathname}`).toBe("http://localhost:3000/banking/linked");
    expect(await complete(linkId, query)).toEqual(target);
  });

  it("is redirected with an error after a refusal, or with a consent that the link did not produce", async () => {
    const linkId = idOf(await create({ ...bank, redirectUrl: `${frontEnd}/back` }));
    const refused = new URL((await refuseLink(purser.platform, linkId))!);
    const denied = new URL(`${frontEnd}/back?error=access_denied`);
    expect(await complete(linkId, refused.searchParams)).toEqual(denied);
    const consent = await give();
    for (const query of ["", `consent=${consent}`, "consent=ada", "consent=fail-outage", "consent=%00"]) {
      expect(await complete(linkId, new URLSearchParams(query))).toEqual(denied);
    }
  });

  it("gets an error for an unknown or expired link", async () => {
    const linkId = idOf(await create());
    const query = await approve(linkId);
    const refusal = (id: string) => refusalOf(completeLink(purser.platform, id, query));
    for (const id of [purser.unknownId("lnk"), "x", "", "lnk_\0", `${linkId}\0`]) {
      expect(await refusal(id)).toBe("LINK_NOT_FOUND");
    }
    purser.clock.advance(30 * minute - 1);
    expect((await complete(linkId, query)).searchParams.get("consentId")).toMatch(/^consent-/);
    purser.clock.advance(1);
    expect(await refusal(linkId)).toBe("LINK_NOT_FOUND");
  });

  it("calls the provider ten times a minute at most, whoever reloads the address", async () => {
    const linkId = idOf(await create());
    const query = await approve(linkId);
    for (let visit = 10; visit > 0; visit -= 1) await complete(linkId, query);
    expect(await refusalOf(complete(linkId, query))).toBe("RATE_LIMITED");
    purser.clock.advance(minute);
    expect((await complete(linkId, query)).searchParams.get("consentId")).toBe(query.get("consent"));
  });

  it("has given a consent for this team and this institution only", async () => {
    const mine = teamId;
    const consentId = await give();
    teamId = await purser.organization(owner);
    expect(await refusalOf(connect(consentId))).toBe("CONSENT_NOT_FOUND");
    teamId = mine;
    const elsewhere = banking().connections.connect({
      teamId,
      provider: "sandbox",
      providerId: "sandbox-bank",
      consentId,
    });
    expect(await refusalOf(elsewhere)).toBe("CONSENT_NOT_FOUND");
    expect(await connect(consentId)).toMatchObject({ status: "ACTIVE" });
  });

  it("cannot connect a consent that has expired since", async () => {
    const consentId = await give();
    purser.clock.advance(60 * day);
    const problem = await connect(consentId).catch((error: unknown) => problemOf(error));
    expect(problem).toMatchObject({ code: "REAUTHORIZATION_REQUIRED" });
  });
});

describe("a consent that was given to renew a connection", () => {
  it("reconnects it, even if it is disconnected, and keeps the stored data", async () => {
    const first = await give();
    const { id: connectionId } = await connect(first);
    await purser.drain();
    const before = await banking().transactions.list({ teamId });
    await banking().connections.disconnect({ teamId, connectionId });
    await purser.drain();
    const renewed = await give({ connectionId });
    const connection = await connect(renewed);
    expect(connection).toMatchObject({
      id: connectionId,
      status: "ACTIVE",
      consents: [
        {
          id: renewed,
          status: "AUTHORIZED",
        },
        {
          id: first,
          status: "REVOKED",
        },
      ],
    });
    await purser.drain();
    expect(await banking().transactions.list({ teamId })).toEqual(before);
    expect(await banking().connections.list({ teamId })).toEqual([connection]);
  });

  it("replaces one whose token is sealed with a lost key", async () => {
    const first = await give();
    const { id: connectionId } = await connect(first);
    await purser.db
      .update(bankConsents)
      .set({ token: sql`regexp_replace(${bankConsents.token}, '^v1[.][^.]+', 'v1.99')` })
      .where(eq(bankConsents.organizationId, teamId));
    const renewed = await give({ connectionId });
    expect(await connect(renewed)).toMatchObject({
      id: connectionId,
      consents: [
        { id: renewed, status: "AUTHORIZED" },
        { id: first, status: "REVOKED" },
      ],
    });
    expect(await banking().connections.sync({ teamId, connectionId })).toMatchObject({ status: "ACTIVE" });
  });

  it("leaves the old consent in force until it is activated", async () => {
    const first = await give();
    const { id: connectionId } = await connect(first);
    await give({ connectionId });
    expect(await banking().connections.list({ teamId })).toMatchObject([
      { id: connectionId, consents: [{ id: first, status: "AUTHORIZED" }] },
    ]);
    expect(await banking().connections.sync({ teamId, connectionId })).toMatchObject({ status: "ACTIVE" });
  });
});
