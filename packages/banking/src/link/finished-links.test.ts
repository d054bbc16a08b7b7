import { day, minute } from "@purser/core/testing";
import { bankLinks } from "@purser/db";
import { receiveWebhook, sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  refusalOf,
} from "@purser/testing";
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { BankError, type BankProvider } from "../ports.ts";
import { approveLink } from "../sandbox/links.ts";
import { completeLink } from "./service/hosted-links.ts";
import { purgeLinks } from "./service/purge-links.ts";

let purser: TestPurser;
let owner: Person;
let colleague: Person;
let teamId: string;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};
let events = 0;

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
  [owner, colleague] = [await purser.person(), await purser.person()];
});
afterAll(() => purser.close());
beforeEach(async () => {
  replaced = {};
  teamId = await purser.organization(owner, { owners: [colleague] });
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const banking = (person = owner) => purser.as(person).banking;

const linkIdOf = (url: string) => url.split("/").at(-1)!;

/** Finishes a link at the provider, which reports it. The browser does not return. Returns the consent. */
async function finishLink(input: object = bank, person = owner): Promise<string> {
  const { url } = await banking(person).link.create({ teamId, ...input });
  const linkId = linkIdOf(url);
  const choice = { customerName: "Ada", accounts: [0, 2], transactions: true, days: 60 };
  const query = new URL((await approveLink(purser.platform, linkId, choice))!).searchParams;
  const sandbox = await configuredBanks(purser.platform).at("sandbox");
  replaced.completeLink = (request, state) => sandbox.completeLink(request, state, query);
  const webhooks = { ...sandbox.webhooks!, read: () => ({ kind: "link_finished", state: linkId }) as const };
  Object.assign(replaced, { webhooks });
  expect(await deliver()).toEqual({ outcome: "accepted" });
  return query.get("consent")!;
}

async function deliver() {
  const receiver = purser.receivers.find(
    ({ area, provider }) => area === "banking" && provider === "sandbox",
  )!;
  const event = { id: `evt_${(events += 1)}`, type: "link.finished", data: {} };
  const body = Buffer.from(JSON.stringify(event));
  const secret = sandboxSecret(purser.platform.settings, "banking");
  return receiveWebhook(purser.platform, receiver, body, signSandboxEvent(secret, body, purser.clock.now()));
}

/** The state of a link as if a key had sealed it that the service no longer has. */
const lostState = sql`regexp_replace(${bankLinks.state}, '^v1[.][^.]+', 'v1.99')`;

async function runJob(): Promise<void> {
  const job = { id: "job", attempt: 1, last: false };
  await handlerOf(purser.handlers, bankingJobs.finishedLinks)(null, job);
}

/** Lets the front end's time pass, and runs the job. */
async function later(): Promise<void> {
  purser.clock.advance(10 * minute);
  await runJob();
}

/** Connects a consent, and lets it expire. */
async function expire(): Promise<{ consentId: string; connectionId: string }> {
  const consentId = await finishLink();
  await later();
  await purser.drain();
  const [connection] = await banking().connections.list({ teamId });
  purser.clock.advance(61 * day);
  expect(await consents()).toEqual([{ id: consentId, status: "REVOKED" }]);
  return { consentId, connectionId: connection!.id };
}

/** The bank renews the consent in place for 90 days. */
function renewAtBank(consentId: string): void {
  const expiresAt = new Date(purser.clock.now().getTime() + 90 * day);
  Object.assign(replaced, {
    completeLink: async () => ({ consentId, institutionId: bank.providerId }),
    consentStatus: async () => ({ status: "authorized", expiresAt }),
    accounts: async () => [],
    feed: { kind: "window", historyDays: 730, transactions: async function* () {} },
  } satisfies Partial<BankProvider>);
}

const consents = async () =>
  (await banking().connections.list({ teamId })).flatMap((connection) =>
    connection.consents.map(({ id, status }) => ({ id, status })),
  );

describe("a link that a person finished without returning", () => {
  it("is connected after ten minutes, once", async () => {
    const consentId = await finishLink();
    purser.clock.advance(10 * minute - 1);
    await runJob();
    expect(await consents()).toEqual([]);
    purser.clock.advance(1);
    await runJob();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    replaced.completeLink = () => Promise.reject(new Error("It is processed"));
    await later();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
  });

  it("is retried while the provider is down", async () => {
    const consentId = await finishLink();
    const { completeLink: complete } = replaced;
    replaced.completeLink = () => Promise.reject(new BankError("outage", "It is down"));
    await later();
    expect(await consents()).toEqual([]);
    Object.assign(replaced, { completeLink: complete });
    await runJob();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
  });

  it("is connected again if a person finishes it once more while it is connected", async () => {
    const consentId = await finishLink();
    const { completeLink: complete } = replaced;
    replaced.completeLink = async (...request) => {
      const result = await complete!(...request);
      purser.clock.advance(1);
      expect(await deliver()).toEqual({ outcome: "accepted" });
      return result;
    };
    await later();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    let completed = 0;
    replaced.completeLink = (...request) => {
      completed += 1;
      return complete!(...request);
    };
    await later();
    await later();
    expect(completed).toBe(1);
  });

  it("keeps no other from being connected if the key that sealed it is lost", async () => {
    await finishLink();
    const ofTeam = eq(bankLinks.organizationId, teamId);
    await purser.db.update(bankLinks).set({ state: lostState }).where(ofTeam);
    const consentId = await finishLink();
    await later();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    await purser.db.delete(bankLinks).where(ofTeam);
  });

  it("is kept beyond its expiry while the provider is down, for a week", async () => {
    const consentId = await finishLink();
    const { completeLink: complete } = replaced;
    replaced.completeLink = () => Promise.reject(new BankError("outage", "It is down"));
    purser.clock.advance(7 * day);
    await later();
    await purgeLinks(purser.platform);
    Object.assign(replaced, { completeLink: complete });
    await runJob();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    await finishLink();
    purser.clock.advance(8 * day + 30 * minute + 1);
    await purgeLinks(purser.platform);
    expect(await purser.db.$count(bankLinks, isNotNull(bankLinks.finishedAt))).toBe(0);
  });

  it("stays disconnected if the front end connected it and the team disconnected it", async () => {
    const consentId = await finishLink();
    const { id: connectionId } = await banking().connections.connect({ teamId, ...bank, consentId });
    await banking().connections.disconnect({ teamId, connectionId });
    await later();
    expect(await consents()).toEqual([{ id: consentId, status: "REVOKED" }]);
  });

  it("is not connected for a person who is no longer an owner", async () => {
    await finishLink(bank, colleague);
    const members = await purser.as(owner).organizations.members.list({ organizationId: teamId });
    const { id } = members.find(({ userId }) => userId === colleague.userId)!;
    await purser.as(owner).organizations.members.updateRole({ id, role: "MEMBER" });
    await later();
    expect(await consents()).toEqual([]);
  });

  it("requests a sync if it renewed a consent in place", async () => {
    const consentId = await finishLink();
    await later();
    await purser.drain();
    const [connection] = await banking().connections.list({ teamId });
    await finishLink({ connectionId: connection!.id });
    replaced.completeLink = async ({ renews }) => renews!;
    await later();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    const [sync] = await banking().syncs.list({ teamId });
    expect(sync).toMatchObject({ trigger: "CONNECT", status: "QUEUED" });
  });

  it("continues an expired consent that it renewed in place", async () => {
    const { consentId, connectionId } = await expire();
    await finishLink({ connectionId });
    renewAtBank(consentId);
    await later();
    await purser.drain();
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
    expect(await banking().syncs.list({ teamId, limit: 1 })).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  it("continues no connection that the team disconnected since", async () => {
    const { consentId, connectionId } = await expire();
    await finishLink({ connectionId });
    renewAtBank(consentId);
    await banking().connections.disconnect({ teamId, connectionId });
    await later();
    await purser.drain();
    expect(await consents()).toEqual([{ id: consentId, status: "REVOKED" }]);
  });
});

describe("a return from a link that renewed an expired consent in place", () => {
  it("continues the consent, although no front end connects it", async () => {
    const { consentId, connectionId } = await expire();
    const { url } = await banking().link.create({ teamId, connectionId });
    renewAtBank(consentId);
    const target = new URL(await completeLink(purser.platform, linkIdOf(url), new URLSearchParams()));
    expect(target.searchParams.get("consentId")).toBe(consentId);
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
  });

  it("leads to the front end, which can connect it, although the bank is down", async () => {
    const { consentId, connectionId } = await expire();
    const { url } = await banking().link.create({ teamId, connectionId });
    renewAtBank(consentId);
    const isDown = () => Promise.reject(new BankError("outage", "It is down"));
    Object.assign(replaced, { consentStatus: isDown });
    const target = new URL(await completeLink(purser.platform, linkIdOf(url), new URLSearchParams()));
    expect(target.searchParams.get("consentId")).toBe(consentId);
    expect(await consents()).toEqual([{ id: consentId, status: "REVOKED" }]);
    renewAtBank(consentId);
    await banking().connections.connect({ teamId, ...bank, consentId });
    expect(await consents()).toEqual([{ id: consentId, status: "AUTHORIZED" }]);
  });
});

describe("a return from a link that was to renew an ended consent", () => {
  it("connects the bank that the person chose instead, and leaves the connection as it is", async () => {
    const { consentId: ended, connectionId } = await expire();
    await banking().connections.disconnect({ teamId, connectionId });
    const { url } = await banking().link.create({ teamId, connectionId });
    const other = { consentId: "ada", institutionId: "sandbox-bank" };
    replaced.completeLink = async () => other;
    await completeLink(purser.platform, linkIdOf(url), new URLSearchParams());
    const input = { teamId, ...bank, providerId: other.institutionId, consentId: other.consentId };
    const connected = await banking().connections.connect(input);
    expect(connected.id).not.toBe(connectionId);
    expect(connected.consents).toMatchObject([{ id: "ada", status: "AUTHORIZED" }]);
    expect(await consents()).toEqual([
      { id: "ada", status: "AUTHORIZED" },
      { id: ended, status: "REVOKED" },
    ]);
  });
});

describe("banking.link.create", () => {
  it("tells the provider whether the link is of a connection", async () => {
    const page = { url: "https://bank.example/", expiresAt: new Date("2099-01-01"), state: "told" };
    const told: boolean[] = [];
    replaced.createLink = async ({ continuesConnection }) => {
      told.push(continuesConnection);
      return page;
    };
    const { id: connectionId } = await banking().connections.connect({ teamId, ...bank, consentId: "ada" });
    await banking().link.create({ teamId, connectionId });
    await banking().link.create({ teamId, ...bank });
    expect(told).toEqual([true, false]);
  });

  it("lets the person choose the bank where the provider can, and needs a provider for that", async () => {
    const page = { url: "https://bank.example/", expiresAt: new Date("2099-01-01"), state: "chosen" };
    const requested: unknown[] = [];
    replaced.createLink = async ({ institutionId }) => {
      requested.push(institutionId);
      return page;
    };
    expect(await banking().link.create({ teamId, provider: "sandbox" })).toMatchObject({ url: page.url });
    expect(requested).toEqual([null]);
    expect(await refusalOf(banking().link.create({ teamId }))).toBe("VALIDATION_FAILED");
    replaced = {};
    const unsupported = banking().link.create({ teamId, provider: "sandbox" });
    expect(await refusalOf(unsupported)).toBe("NOT_SUPPORTED_BY_PROVIDER");
  });
});
