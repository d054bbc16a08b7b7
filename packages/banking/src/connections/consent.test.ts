import { day } from "@purser/core/testing";
import { bankConnections } from "@purser/db";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { completeLink } from "../link/service/hosted-links.ts";
import { approveLink } from "../sandbox/links.ts";
import { type ScriptedTeam, bankAccount, createScriptedTeam } from "../testing/scripted-bank.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const everything = ["accounts", "balances", "transactions"];
const banking = () => purser.as(owner).banking;
const inDays = (days: number) => new Date(purser.clock.now().getTime() + days * day);

async function connect(consentId: string): Promise<void> {
  ({ id: connectionId } = await banking().connections.connect({ teamId, ...bank, consentId }));
}

/** A consent from the bank's page, whose duration in days is the bank's limit. */
async function give(days: number, renews?: string): Promise<string> {
  const { url } = await banking().link.create({
    teamId,
    ...(renews === undefined ? bank : { connectionId: renews }),
  });
  const linkId = url.split("/").at(-1)!;
  const choice = { customerName: "Ada", accounts: [0, 1], transactions: true, days };
  const back = new URL((await approveLink(purser.platform, linkId, choice))!);
  const target = new URL(await completeLink(purser.platform, linkId, back.searchParams));
  return target.searchParams.get("consentId")!;
}

const update = (scopes: string[], expiresAt: Date) =>
  banking().connections.updateConsent({ teamId, connectionId, scopes, expiresAt });
const consents = async () => (await banking().connections.list({ teamId }))[0]!.consents;
const sync = () => banking().connections.sync({ teamId, connectionId });
const job = { id: "", attempt: 1, last: true };

async function ledger() {
  const accounts = await banking().accounts.list({ teamId });
  return { accounts, transactions: await banking().transactions.list({ teamId }) };
}

describe("banking.connections.updateConsent", () => {
  it("sets scopes and expiry, and responds with exactly the documented fields", async () => {
    await connect("ada");
    const expected = { id: "ada", status: "AUTHORIZED", scopes: ["accounts"], expiresAt: inDays(400) };
    expect(await update([" accounts "], inDays(400))).toEqual({ ...expected, revokedAt: null });
    expect(await consents()).toEqual([{ ...expected, revokedAt: null }]);
  });

  it("returns the first response to a repeated request, even after the expiry has passed", async () => {
    await connect("ada");
    const keyed = purser.as(owner, { idempotencyKey: "short" }).banking.connections;
    const input = { teamId, connectionId, scopes: everything, expiresAt: inDays(0.5) };
    const first = await keyed.updateConsent(input);
    purser.clock.advance(0.9 * day);
    expect(await keyed.updateConsent(input)).toEqual(first);
    expect(await consents()).toMatchObject([{ status: "REVOKED", revokedAt: input.expiresAt }]);
  });

  it("is limited to the connections of this team", async () => {
    await connect("ada");
    const other = await purser.organization(owner);
    const input = { teamId: other, connectionId, scopes: everything, expiresAt: inDays(1) };
    expect(await refusalOf(banking().connections.updateConsent(input))).toBe("CONNECTION_NOT_FOUND");
    connectionId = purser.unknownId("bcn");
    expect(await refusalOf(update(everything, inDays(1)))).toBe("CONNECTION_NOT_FOUND");
  });
});

describe("a change of a consent", () => {
  let connected: { teamId: string; connectionId: string } | undefined;
  beforeEach(async () => {
    if (connected === undefined) {
      await connect("ada");
      connected = { teamId, connectionId };
    }
    ({ teamId, connectionId } = connected);
  });

  it.each([
    ["an expiry that is past", ["accounts"], -1],
    ["an expiry that is now", ["accounts"], 0],
    ["no scopes", [], 1],
    ["an empty scope", [" "], 1],
    ["too many scopes", Array.from({ length: 51 }, (_, index) => `s${index}`), 1],
    ["a scope that is too long", ["s".repeat(101)], 1],
    ["U+0000", ["a\0"], 1],
    ["an expiry beyond all dates", ["accounts"], 9_000_000],
  ])("is refused with %s, and changes nothing", async (_what, scopes, days) => {
    const before = await consents();
    expect(await refusalOf(update(scopes, inDays(days)))).toBe("VALIDATION_FAILED");
    expect(await consents()).toEqual(before);
  });
});

describe("a consent that is renewed in place", () => {
  let team: ScriptedTeam;
  beforeAll(async () => {
    team = await createScriptedTeam();
  });
  afterAll(() => team.purser.close());

  const numbers = "account_numbers";
  const renewed = { name: "Renewed", balance: 4200, accountNumber: "87654321" };

  /** Renews a consent of which the team uses these scopes. Returns the account, and what it was before. */
  async function renewWith(scopes: string[], granted: string[] | null) {
    await team.begin({ granted });
    const before = (await readAccounts())[0]!;
    const target = { teamId: team.teamId, connectionId: team.connectionId };
    const expiresAt = new Date(team.purser.clock.now().getTime() + day);
    await team.purser.as(team.owner).banking.connections.updateConsent({ ...target, scopes, expiresAt });
    team.script.consentStatus = async () => ({ status: "reauthorization_required" });
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    team.script.consentStatus = async () => ({ status: "authorized", expiresAt: null });
    team.script.accounts = async ({ withheldScopes }) => [
      bankAccount({ ...renewed, ...(withheldScopes?.has(numbers) && { accountNumber: null }) }),
    ];
    await team.connect("first");
    return { before, after: (await readAccounts())[0]! };
  }

  const readAccounts = () => team.purser.as(team.owner).banking.accounts.list({ teamId: team.teamId });

  it.each([
    ["with a limit at its bank", [...everything, numbers]],
    ["without one", null],
  ])("%s is read without the balances that the team withholds", async (_which, granted) => {
    const { before, after } = await renewWith(["accounts", "transactions"], granted);
    expect(after).toMatchObject({ accountName: "Renewed", balance: before.balance });
  });

  it("keeps a known balance that the team withholds, although its bank lists the account under another id", async () => {
    await team.begin();
    const before = (await readAccounts())[0]!;
    expect(before.balance).toBe(1000);
    const target = { teamId: team.teamId, connectionId: team.connectionId };
    const expiresAt = new Date(team.purser.clock.now().getTime() + day);
    const scopes = ["accounts", "transactions"];
    await team.purser.as(team.owner).banking.connections.updateConsent({ ...target, scopes, expiresAt });
    for (const externalId of ["renamed", "renamed again"]) {
      team.script.accounts = async () => [bankAccount({ externalId, name: externalId, balance: 4200 })];
      expect(await team.sync()).toBe("ok");
      expect(await readAccounts()).toMatchObject([{ id: before.id, accountName: externalId, balance: 1000 }]);
    }
  });

  it("is read without the account numbers that the team withholds", async () => {
    const { before, after } = await renewWith(everything, [...everything, numbers]);
    expect(after).toMatchObject({ accountName: "Renewed", accountNumber: before.accountNumber });
  });

  it("is not read if the team withholds the accounts", async () => {
    const { before, after } = await renewWith(["transactions"], null);
    expect(after).toEqual(before);
  });
});

describe("a consent with a limit at its bank", () => {
  it("may be narrowed, and widened again up to what the bank has granted", async () => {
    await connect(await give(30));
    const until = inDays(30);
    await update(["accounts"], inDays(5));
    expect(await update(everything, until)).toMatchObject({ scopes: everything, expiresAt: until });
  });

  it.each([
    ["a later expiry", everything, 30.001],
    ["another scope", [...everything, "payments"], 10],
  ])(
    "requires the user for %s: the error contains a link, and nothing changes",
    async (_what, scopes, days) => {
      await connect(await give(30));
      const before = await consents();
      const problem = await update(scopes, inDays(days)).catch((error: unknown) => problemOf(error));
      expect(problem).toMatchObject({
        code: "REAUTHORIZATION_REQUIRED",
        link: expect.stringMatching(/^http:\/\/localhost:3000\/sandbox\/bank\/lnk_/),
      });
      expect(await consents()).toEqual(before);
    },
  );

  it("resumes, with its schedule, if only the team had ended it", async () => {
    await connect(await give(30));
    await sync();
    await update(everything, inDays(2));
    purser.clock.advance(2 * day);
    expect(await refusalOf(sync())).toBe("CONSENT_EXPIRED");
    // The scheduler finds that it has expired, and schedules no further sync.
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, job);
    await handlerOf(purser.handlers, bankingJobs.sync)({ organizationId: teamId, connectionId }, job);
    await update(everything, inDays(20));
    await handlerOf(purser.handlers, bankingJobs.sync)({ organizationId: teamId, connectionId }, job);
    expect(await consents()).toMatchObject([{ status: "AUTHORIZED", revokedAt: null }]);
    expect(await banking().syncs.list({ teamId, limit: 1 })).toMatchObject([{ status: "SUCCEEDED" }]);
    const [row] = await purser.db.select().from(bankConnections).where(eq(bankConnections.id, connectionId));
    expect(row!.nextSyncAt!.getTime()).toBeGreaterThan(purser.clock.now().getTime());
  });

  it.each([
    ["the team's earlier end", 5, 0, 5],
    ["the bank's end if the team's has passed", 2, 3, 30],
  ])(
    "keeps what the team withholds when it is renewed in place, and %s",
    async (_what, limit, pause, end) => {
      const id = await give(30);
      await connect(id);
      const [until, atBank] = [inDays(limit), inDays(end)];
      await update(["accounts"], until);
      const controls = purser.as(owner).sandbox.banking;
      const target = { teamId, connectionId, notify: false };
      const [account] = (await ledger()).accounts;
      const payment = { accountId: account!.id, amount: 1250, type: "DEBIT", description: "Unseen" } as const;
      await controls.addTransaction({ ...target, ...payment });
      await controls.requireReauthorization(target);
      expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
      await controls.repairConsent(target);
      purser.clock.advance(pause * day);
      await connect(id);
      expect(await consents()).toMatchObject([
        { id, status: "AUTHORIZED", scopes: ["accounts"], expiresAt: atBank },
      ]);
      expect((await ledger()).accounts).toContainEqual(account);
      expect(await update(everything, inDays(20))).toMatchObject({ scopes: everything });
    },
  );

  it("is replaced by a renewed consent on the same connection, which later updates then change", async () => {
    const old = await give(30);
    await connect(old);
    await sync();
    const { id } = (await banking().connections.list({ teamId }))[0]!;
    const before = await ledger();
    const renewed = await give(60, connectionId);
    await connect(renewed);
    expect(connectionId).toBe(id);
    await sync();
    expect((await consents()).map((consent) => consent.id)).toEqual([renewed, old]);
    expect(await update(["accounts"], inDays(59))).toMatchObject({ id: renewed });
    expect((await consents())[1]).toMatchObject({ id: old, scopes: everything, status: "REVOKED" });
    const known = new Set(before.transactions.map((transaction) => transaction.id));
    const after = await ledger();
    expect(after.accounts.map((account) => account.id)).toEqual(before.accounts.map((account) => account.id));
    expect(after.transactions.filter((transaction) => known.has(transaction.id))).toHaveLength(known.size);
  });

  it("is revoked at the bank when another one replaces it", async () => {
    const old = await give(30);
    await connect(old);
    const statusOf = async (consentId: string) => {
      const sandbox = await configuredBanks(purser.platform).at("sandbox");
      const access = { organizationId: teamId, institutionId: "sprout-bank", consentId, token: null };
      return (await sandbox.consentStatus(access)).status;
    };
    const renewed = await give(60, connectionId);
    await connect(renewed);
    expect(await statusOf(old)).toBe("authorized");
    await purser.drain();
    expect(await statusOf(old)).toBe("revoked");
    expect(await statusOf(renewed)).toBe("authorized");
    expect(await consents()).toMatchObject([
      { id: renewed, status: "AUTHORIZED" },
      { id: old, status: "REVOKED", revokedAt: purser.clock.now() },
    ]);
  });

  it("stays replaced when the old one is connected again", async () => {
    const old = await give(30);
    await connect(old);
    await sync();
    const renewed = await give(60, connectionId);
    await connect(renewed);
    await sync();
    const before = await ledger();
    await connect(old);
    expect((await consents()).map((consent) => consent.id)).toEqual([renewed, old]);
    await sync();
    const [sample] = before.transactions;
    const { changeTransaction } = purser.as(owner).sandbox.banking;
    const target = { teamId, connectionId, bankTransactionId: sample!.id };
    await changeTransaction({ ...target, description: "Changed", notify: false });
    await sync();
    const { transactions } = await ledger();
    expect(transactions.filter(({ description }) => description === "Changed")).toMatchObject([
      { id: sample!.id },
    ]);
  });
});
