import { day, minute } from "@purser/core/testing";
import { bankLinks } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingTasks } from "../jobs.ts";
import { BankError, type BankErrorKind, type BankProvider, type ConsentStatus } from "../ports.ts";
import { inOtherProcess } from "../testing/other-process.ts";
import { gate } from "../testing/scripted-bank.ts";
import { connectFinishedLinks } from "./service/finished-links.ts";
import { completeLink } from "./service/hosted-links.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let links = 0;
let revoked: string[] = [];
let logged: unknown[] = [];
let status: ConsentStatus["status"];
/** Why the bank gives no consent now. */
let refusal: BankErrorKind | null;
/** What a revocation at the bank waits for. */
let beforeRevoking: () => Promise<void>;

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const institution = { id: bank.providerId, name: "Sprout", country: "GB", logoUrl: null };

/** A bank that creates the consent with the link. It is in force once the person agrees. */
const creatingConsents = (): Partial<BankProvider> => ({
  createLink: async ({ linkId }) => ({
    url: `https://bank.example/${linkId}`,
    expiresAt: new Date(purser.clock.now().getTime() + 30 * minute),
    state: `consent-${(links += 1)}`,
  }),
  consentOfLink: (state) => state,
  completeLink: async (_request, consentId) => {
    if (refusal !== null) throw new BankError(refusal, "Not now");
    return { consentId, institutionId: bank.providerId };
  },
  openConsent: async ({ consentId }) => {
    if (refusal !== null) throw new BankError(refusal, "Not now");
    if (revoked.includes(consentId)) throw new BankError("consent_not_found", "The consent has ended");
    const grant = { consentId, token: "a token", institution, scopes: ["accounts" as const] };
    return { ...grant, expiresAt: null, isLimit: true };
  },
  consentStatus: async () => (status === "authorized" ? { status, expiresAt: null } : { status }),
  accounts: async () => [],
  revoke: async ({ consentId }) => {
    await beforeRevoking();
    revoked.push(consentId);
  },
});

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: creatingConsents });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
  revoked = [];
  logged = [];
  status = "authorized";
  refusal = null;
  beforeRevoking = async () => undefined;
});

const banking = () => purser.as(owner).banking;

/** The state of a link as if a key had sealed it that the service no longer has. */
const lostState = sql`regexp_replace(${bankLinks.state}, '^v1[.][^.]+', 'v1.99')`;

/** Creates a link. Returns its id, and the consent that comes with it. */
async function createLink(): Promise<{ linkId: string; consentId: string }> {
  const { url } = await banking().link.create({ teamId, ...bank });
  return { linkId: url.split("/").at(-1)!, consentId: `consent-${links}` };
}

async function housekeep(): Promise<void> {
  const logger = { ...purser.platform.logger, warn: (...line: unknown[]) => void logged.push(line) };
  await Promise.all(bankingTasks({ ...purser.platform, logger }).map((task) => task()));
  await purser.drain();
}

const count = () => purser.db.$count(bankLinks, eq(bankLinks.organizationId, teamId));

describe("an expired link whose provider created a consent for it", () => {
  it.each([
    ["has not returned", false],
    ["has returned", true],
  ])("revokes the consent a day later if the person %s and nobody connected it", async (_how, returns) => {
    const { linkId, consentId } = await createLink();
    if (returns) await completeLink(purser.platform, linkId, new URLSearchParams());
    purser.clock.advance(30 * minute + day);
    await housekeep();
    expect([await count(), revoked]).toEqual([1, []]);
    purser.clock.advance(1);
    await housekeep();
    expect([await count(), revoked]).toEqual([0, [consentId]]);
  });

  it("leaves a consent that a connection uses, also if it was connected without its link", async () => {
    const { consentId } = await createLink();
    purser.clock.advance(day);
    await banking().connections.connect({ teamId, ...bank, consentId });
    purser.clock.advance(2 * day);
    await housekeep();
    expect([await count(), revoked]).toEqual([0, []]);
  });

  it("revokes the consent before a person connects it for the first time, who is then refused", async () => {
    const { consentId } = await createLink();
    purser.clock.advance(2 * day);
    const { arrived, pass, open } = gate();
    beforeRevoking = pass;
    const housekeeping = housekeep();
    await arrived;
    const connect = () => refusalOf(banking().connections.connect({ teamId, ...bank, consentId }));
    expect(await inOtherProcess(purser, connect)).toBe("UNAVAILABLE");
    open();
    await housekeeping;
    expect(revoked).toEqual([consentId]);
    expect(await connect()).toBe("CONSENT_NOT_FOUND");
    expect(await banking().connections.list({ teamId })).toEqual([]);
  });

  it("is purged also if the key that sealed it is lost, and keeps no other from being purged", async () => {
    const { linkId: lost } = await createLink();
    const { consentId } = await createLink();
    await purser.db.update(bankLinks).set({ state: lostState }).where(eq(bankLinks.id, lost));
    purser.clock.advance(30 * minute + day + 1);
    await housekeep();
    expect([await count(), revoked]).toEqual([0, [consentId]]);
    expect(logged).toContainEqual([
      expect.objectContaining({ linkId: lost }),
      "The consent of an expired link cannot be revoked",
    ]);
  });

  it("requests nothing for a consent that nobody gave", async () => {
    await createLink();
    status = "reauthorization_required";
    purser.clock.advance(2 * day);
    await housekeep();
    expect([await count(), revoked]).toEqual([0, []]);
  });
});

describe("a consent that another owner of the account has yet to authorize", () => {
  /** The first owner returns from the bank. Returns the consent. */
  async function returnFirst(): Promise<string> {
    const { linkId, consentId } = await createLink();
    refusal = "authorization_pending";
    const target = new URL(await completeLink(purser.platform, linkId, new URLSearchParams()));
    expect(Object.fromEntries(target.searchParams)).toEqual({ error: "authorization_pending" });
    return consentId;
  }

  async function later(ms: number): Promise<void> {
    purser.clock.advance(ms);
    await housekeep();
    const logger = { ...purser.platform.logger, warn: () => expect.unreachable("It is no failure") };
    await connectFinishedLinks({ ...purser.platform, logger });
  }

  it("is connected once that has happened, also days later, and not revoked before", async () => {
    const consentId = await returnFirst();
    for (const ms of [15 * minute, 3 * day, 3 * day]) await later(ms);
    expect([await count(), revoked]).toEqual([1, []]);
    expect(await banking().connections.list({ teamId })).toEqual([]);
    refusal = null;
    await later(10 * minute);
    expect(await banking().connections.list({ teamId })).toMatchObject([
      { status: "ACTIVE", consents: [{ id: consentId, status: "AUTHORIZED" }] },
    ]);
  });

  it("is revoked a week after its link expired", async () => {
    const consentId = await returnFirst();
    await later(7 * day);
    expect([await count(), revoked]).toEqual([1, []]);
    await later(30 * minute + 1);
    expect([await count(), revoked]).toEqual([0, [consentId]]);
  });
});

describe("a person who returns without a consent", () => {
  it.each<[BankErrorKind, string]>([
    ["consent_not_found", "access_denied"],
    ["authorization_failed", "server_error"],
  ])("after %s is redirected with the error %s, and nothing is connected later", async (kind, error) => {
    const { linkId } = await createLink();
    refusal = kind;
    const target = new URL(await completeLink(purser.platform, linkId, new URLSearchParams()));
    expect(Object.fromEntries(target.searchParams)).toEqual({ error });
    refusal = null;
    purser.clock.advance(10 * minute);
    await connectFinishedLinks(purser.platform);
    expect(await banking().connections.list({ teamId })).toEqual([]);
  });
});
