import { Problem } from "@purser/core";
import { day, hour } from "@purser/core/testing";
import { receiveWebhook, sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { type BankConsentEvent, BankError, type BankProvider, type ProviderName } from "../ports.ts";

let purser: TestPurser;
let owner: Person;
let member: Person;
let teamId: string;
let connectionId: string;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};
/** The configured providers. */
const configured: ProviderName[] = ["sandbox"];
let events = 0;

beforeAll(async () => {
  const at = async () => {
    if (configured.length === 0) throw new Problem("PROVIDER_NOT_CONFIGURED");
    return { ...(await configuredBanks(purser.platform).at("sandbox")), ...replaced };
  };
  purser = await createTestPurser({ banks: { configured, at } });
  [owner, member] = [await purser.person(), await purser.person()];
});
afterAll(() => purser.close());
beforeEach(async () => {
  replaced = {};
  configured.splice(0, 1, "sandbox");
  teamId = await purser.organization(owner, { members: [member] });
  ({ id: connectionId } = await connect());
  await purser.drain();
  purser.mails.length = 0;
});

const banking = () => purser.as(owner).banking;
const target = () => ({ teamId, connectionId });
const now = () => purser.clock.now();
const inDays = (days: number) => new Date(now().getTime() + days * day);
const isDown = () => Promise.reject(new BankError("outage", "It is down"));
const connect = () =>
  banking().connections.connect({
    teamId,
    provider: "sandbox",
    providerId: "sprout-bank",
    consentId: "ada",
  });

async function health() {
  const [first, ...others] = await banking().connections.health({ teamId });
  expect(others).toEqual([]);
  return first!;
}

async function consent() {
  const [connection] = await banking().connections.list({ teamId });
  return connection!.consents[0]!;
}

/** Delivers an event of the provider about the consent. */
async function deliver(event: { kind: "consent_ending"; endsAt: Date }): Promise<void> {
  const { webhooks } = await configuredBanks(purser.platform).at("sandbox");
  const about: BankConsentEvent = { consentId: "ada", organizationId: teamId, ...event };
  Object.assign(replaced, { webhooks: { ...webhooks, read: () => about } });
  const receiver = purser.receivers.find(
    ({ area, provider }) => area === "banking" && provider === "sandbox",
  )!;
  const body = Buffer.from(JSON.stringify({ id: `evt_${(events += 1)}`, type: "consent.ending", data: {} }));
  const secret = sandboxSecret(purser.platform.settings, "banking");
  await receiveWebhook(purser.platform, receiver, body, signSandboxEvent(secret, body, now()));
  await purser.drain();
}

/** Syncs once while the bank answers so. */
async function refuseToRead(answer: "outage" | "reauthorization_required" | "revoked"): Promise<void> {
  replaced.consentStatus = async () => (answer === "outage" ? isDown() : { status: answer });
  await refusalOf(banking().connections.sync(target()));
  replaced = {};
}

async function remind(): Promise<void> {
  await handlerOf(purser.handlers, bankingJobs.remind)(null, { id: "", attempt: 1, last: true });
  await purser.drain();
}

describe("banking.connections.health", () => {
  it("shows a connection that works, with exactly the documented fields", async () => {
    replaced = { unattendedReadsPerDay: 4 };
    const { nextSyncAt, ...shown } = await health();
    expect(shown).toEqual({
      connectionId,
      status: "ok",
      reason: null,
      lastSuccessAt: now(),
      bankReadAt: now(),
      quotaRemaining: 3,
      consentExpiresAt: (await consent()).expiresAt,
      reconfirmBy: null,
      deadline: (await consent()).expiresAt,
      deadlineKind: "CONSENT_ENDS",
      institutionName: "Sprout Bank",
      canSync: true,
      canReconfirm: true,
      isConsentEnding: false,
    });
    expect(nextSyncAt!.getTime()).toBeGreaterThan(now().getTime());
  });

  it("shows a connection that syncs for the first time", async () => {
    teamId = await purser.organization(owner);
    await connect();
    expect(await health()).toMatchObject({
      status: "syncing",
      reason: null,
      lastSuccessAt: null,
      bankReadAt: null,
    });
  });

  it.each([20 * hour, null])("shows that the provider read the bank %s ms before the sync", async (age) => {
    const bankReadAt = age === null ? null : new Date(now().getTime() - age);
    replaced.consentStatus = async () => ({ status: "authorized", expiresAt: null, bankReadAt });
    purser.clock.advance(hour);
    await banking().connections.sync(target());
    expect(await health()).toMatchObject({ status: "ok", lastSuccessAt: now(), bankReadAt });
  });

  it("shows a failing one with its error, and the last success", async () => {
    const before = await health();
    replaced.accounts = isDown;
    await refusalOf(banking().connections.sync(target()));
    const expected = { status: "failing", reason: "PROVIDER_ERROR", lastSuccessAt: before.lastSuccessAt };
    expect(await health()).toMatchObject(expected);
    replaced = {};
    await banking().connections.sync(target());
    expect(await health()).toMatchObject({ status: "ok", reason: null });
  });

  it("shows one that requires the user", async () => {
    replaced.consentStatus = async () => ({ status: "reauthorization_required" });
    await refusalOf(banking().connections.sync(target()));
    expect(await health()).toMatchObject({
      status: "needs_reauthorization",
      reason: "REAUTHORIZATION_REQUIRED",
      nextSyncAt: null,
    });
  });

  it("shows one whose consent has expired, from that instant", async () => {
    const { expiresAt } = await consent();
    purser.clock.set(expiresAt);
    expect(await health()).toMatchObject({
      status: "needs_reauthorization",
      reason: "CONSENT_EXPIRED",
      nextSyncAt: null,
      canSync: false,
    });
    expect(await refusalOf(banking().connections.sync(target()))).toBe("CONSENT_EXPIRED");
  });

  it("shows by when a consent has to be confirmed, apart from its end, and when that is soon", async () => {
    const { consentExpiresAt } = await health();
    const reconfirmBy = inDays(20);
    replaced.reconfirm = async () => ({ status: "authorized", expiresAt: null, reconfirmBy });
    await banking().connections.reconfirm(target());
    const next = { deadline: reconfirmBy, deadlineKind: "CONFIRMATION_DUE" };
    const expected = { consentExpiresAt, reconfirmBy, canReconfirm: true, ...next };
    expect(await health()).toMatchObject({ ...expected, isConsentEnding: false });
    purser.clock.set(new Date(reconfirmBy.getTime() - 14 * day));
    expect(await health()).toMatchObject({ ...expected, isConsentEnding: true });
    purser.clock.set(consentExpiresAt);
    const end = { deadline: consentExpiresAt, deadlineKind: "CONSENT_ENDS" };
    const ended = { reconfirmBy: null, canReconfirm: false, isConsentEnding: false, ...end };
    expect(await health()).toMatchObject({ status: "needs_reauthorization", ...ended });
  });

  it("shows a disconnected one", async () => {
    await banking().connections.disconnect(target());
    expect(await health()).toMatchObject({
      status: "disconnected",
      reason: null,
      quotaRemaining: null,
      canSync: false,
    });
  });

  it.each<[what: string, arrange: () => unknown, refusal: string | null]>([
    ["works", () => null, null],
    ["has a date for its confirmation", () => banking().connections.reconfirm(target()), null],
    ["is not read without it", () => refuseToRead("reauthorization_required"), null],
    ["fails", () => refuseToRead("outage"), null],
    ["has expired", async () => purser.clock.set((await consent()).expiresAt), "CONSENT_EXPIRED"],
    ["was revoked at the bank", () => refuseToRead("revoked"), "REAUTHORIZATION_REQUIRED"],
    ["is disconnected", () => banking().connections.disconnect(target()), "CONNECTION_DISCONNECTED"],
    ["has a provider that is gone", () => configured.splice(0), "PROVIDER_NOT_CONFIGURED"],
    [
      "has a provider without confirmation",
      () => Object.assign(replaced, { reconfirm: undefined }),
      "NOT_SUPPORTED_BY_PROVIDER",
    ],
    [
      "has no date where the provider requires one",
      () => Object.assign(replaced, { confirmsWithoutDate: false }),
      "NOT_SUPPORTED_BY_PROVIDER",
    ],
  ])(
    "tells whether a consent can be confirmed that %s, as the call does",
    async (_what, arrange, refusal) => {
      await arrange();
      const { canReconfirm } = await health();
      const call = banking().connections.reconfirm(target());
      const refused = await call.then(
        () => null,
        (error: unknown) => problemOf(error).code,
      );
      expect({ canReconfirm, refused }).toEqual({ canReconfirm: refusal === null, refused: refusal });
    },
  );

  it("counts the reads without a user of the last 24 hours", async () => {
    replaced = { unattendedReadsPerDay: 4 };
    purser.clock.set((await health()).nextSyncAt!);
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
    expect(await health()).toMatchObject({ quotaRemaining: 2 });
    purser.clock.advance(day + hour);
    expect(await health()).toMatchObject({ quotaRemaining: 4 });
  });

  it("is for members, and shows nothing of another team", async () => {
    expect(await purser.as(member).banking.connections.health({ teamId })).toMatchObject([{ connectionId }]);
    const other = await purser.organization(owner);
    expect(await banking().connections.health({ teamId: other })).toEqual([]);
  });
});

describe("a provider's warning that it will disconnect a consent", () => {
  it("is mailed to the owners once, and shown, while the consent stays in force", async () => {
    const endsAt = inDays(7);
    await deliver({ kind: "consent_ending", endsAt });
    await deliver({ kind: "consent_ending", endsAt });
    const on = endsAt.toISOString().slice(0, 10);
    expect(purser.mails).toMatchObject([
      { to: owner.email, subject: `Renew your consent at Sprout Bank before ${on}` },
    ]);
    expect(await health()).toMatchObject({ status: "ok", consentExpiresAt: endsAt });
    const { expiresAt, status } = await consent();
    expect([expiresAt > endsAt, status]).toEqual([true, "AUTHORIZED"]);
  });

  it("is repeated a day before", async () => {
    const endsAt = inDays(6);
    await deliver({ kind: "consent_ending", endsAt });
    purser.mails.length = 0;
    purser.clock.advance(5 * day);
    await remind();
    const on = endsAt.toISOString().slice(0, 10);
    expect(purser.mails.filter(({ subject }) => subject.endsWith(on))).toHaveLength(1);
  });
});

describe("banking.connections.reconfirm", () => {
  it("confirms the consent at the provider, with exactly the documented fields", async () => {
    replaced = { unattendedReadsPerDay: 4 };
    const { id, scopes, expiresAt } = await consent();
    expect(await banking().connections.reconfirm(target())).toEqual({
      id,
      status: "AUTHORIZED",
      scopes,
      expiresAt,
      revokedAt: null,
      reconfirmBy: inDays(90),
    });
    const [entry] = await purser.as(owner).organizations.audit.list({ id: teamId });
    expect(entry).toMatchObject({ action: "banking.connections.reconfirm", subject: connectionId });
  });

  it("is requested by mail 14, 7 and 1 days before the next date, which ends nothing", async () => {
    const reconfirmBy = inDays(20);
    replaced.reconfirm = async () => ({ status: "authorized", expiresAt: null, reconfirmBy });
    await banking().connections.reconfirm(target());
    for (const days of [14, 7, 1]) {
      purser.clock.set(new Date(reconfirmBy.getTime() - days * day));
      await remind();
      await remind();
    }
    const subject = `Confirm your consent at Sprout Bank before ${reconfirmBy.toISOString().slice(0, 10)}`;
    expect(purser.mails.filter((mail) => mail.subject === subject)).toHaveLength(3);
    purser.clock.set(new Date(reconfirmBy.getTime() + day));
    expect(await banking().connections.sync(target())).toMatchObject({ status: "ACTIVE" });
    expect(await health()).toMatchObject({ status: "ok" });
  });

  it("lets a connection continue that the provider refused to read without it", async () => {
    replaced.consentStatus = async () => ({ status: "reauthorization_required" });
    await refusalOf(banking().connections.sync(target()));
    replaced = {};
    await banking().connections.reconfirm(target());
    await purser.drain();
    expect(await health()).toMatchObject({ status: "ok" });
  });

  it("is refused where the provider has no confirmation, and changes nothing if the provider fails", async () => {
    replaced = { reconfirm: undefined as never };
    expect(await refusalOf(banking().connections.reconfirm(target()))).toBe("NOT_SUPPORTED_BY_PROVIDER");
    const before = await consent();
    replaced = { reconfirm: isDown };
    expect(await refusalOf(banking().connections.reconfirm(target()))).toBe("PROVIDER_ERROR");
    expect(await consent()).toEqual(before);
  });

  it("is for owners, and finds no connection of another team before it looks at the role", async () => {
    const { connections } = purser.as(member).banking;
    replaced = { reconfirm: isDown };
    expect(await refusalOf(connections.reconfirm(target()))).toBe("FORBIDDEN");
    const unknown = { teamId, connectionId: purser.unknownId("bcn") };
    expect(await refusalOf(connections.reconfirm(unknown))).toBe("CONNECTION_NOT_FOUND");
    teamId = await purser.organization(owner, { members: [member] });
    expect(await refusalOf(connections.reconfirm(target()))).toBe("CONNECTION_NOT_FOUND");
  });

  it("is refused for an ended consent, a disconnected connection and another team", async () => {
    const before = now();
    purser.clock.set((await consent()).expiresAt);
    expect(await refusalOf(banking().connections.reconfirm(target()))).toBe("CONSENT_EXPIRED");
    purser.clock.set(before);
    await banking().connections.disconnect(target());
    expect(await refusalOf(banking().connections.reconfirm(target()))).toBe("CONNECTION_DISCONNECTED");
    teamId = await purser.organization(owner);
    expect(await refusalOf(banking().connections.reconfirm(target()))).toBe("CONNECTION_NOT_FOUND");
  });
});
