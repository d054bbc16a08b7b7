import { day } from "@purser/core/testing";
import { bankConsents, sandboxBankConsents } from "@purser/db";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError, type BankProvider } from "../ports.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
});
afterEach(() => {
  replaced = {};
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const everything = ["accounts", "balances", "transactions"];
const banking = () => purser.as(owner).banking;
const inDays = (days: number) => new Date(purser.clock.now().getTime() + days * day);

async function connect(consentId: string): Promise<void> {
  ({ id: connectionId } = await banking().connections.connect({ teamId, ...bank, consentId }));
}

const update = (scopes: string[], expiresAt: Date) =>
  banking().connections.updateConsent({ teamId, connectionId, scopes, expiresAt });
const consents = async () => (await banking().connections.list({ teamId }))[0]!.consents;
const sync = () => banking().connections.sync({ teamId, connectionId });

async function ledger() {
  const accounts = await banking().accounts.list({ teamId });
  return { accounts, transactions: await banking().transactions.list({ teamId }) };
}

describe("a connection that is disconnected", () => {
  it("is connected again by updating its consent, and keeps its id, accounts and transactions", async () => {
    await connect("ada");
    await sync();
    const before = await ledger();
    await banking().connections.disconnect({ teamId, connectionId });
    await purser.drain();
    const expiresAt = inDays(10);
    expect(await update(["accounts", "transactions"], expiresAt)).toEqual({
      id: "ada",
      status: "AUTHORIZED",
      scopes: ["accounts", "transactions"],
      expiresAt,
      revokedAt: null,
    });
    const [connection] = await banking().connections.list({ teamId });
    expect(connection).toMatchObject({ id: connectionId, status: "ACTIVE" });
    const newest = await purser.as(owner).events.list({ organizationId: teamId, limit: 2 });
    expect(newest).toMatchObject([
      { type: "bank_connection.connected", actor: { id: owner.userId }, data: connection },
      { type: "bank_connection.disconnected", subject: { id: connectionId } },
    ]);
    // A change of the consent alone is no event: no type of event is about it.
    await update(["accounts", "transactions"], expiresAt);
    expect(await purser.as(owner).events.list({ organizationId: teamId, limit: 2 })).toEqual(newest);
    await sync();
    expect(await ledger()).toEqual(before);
    expect(await sync()).toMatchObject({ status: "ACTIVE" });
  });

  it("is read without what the update withholds", async () => {
    await connect("ada");
    await sync();
    const balances = async () => (await ledger()).accounts.map(({ balance }) => balance);
    const before = await balances();
    await banking().connections.disconnect({ teamId, connectionId });
    await purser.drain();
    const { accounts } = await configuredBanks(purser.platform).at("sandbox");
    let calls = 0;
    replaced = {
      accounts: async (...request) => {
        calls += 1;
        return (await accounts(...request)).map((account) => ({ ...account, balance: 4_242_00 }));
      },
    };
    await update(["accounts", "transactions"], inDays(10));
    expect(await balances()).toEqual(before);
    await banking().connections.disconnect({ teamId, connectionId });
    await update(["transactions"], inDays(10));
    expect(calls).toBe(1);
  });

  it("has no balances of earlier days until its transactions are read again", async () => {
    await connect("ada");
    await sync();
    const points = async () => {
      const reported = await banking().reports.balances({ teamId, from: inDays(-1), to: inDays(0) });
      return reported.map((account) => account.points.length);
    };
    const before = await points();
    await banking().connections.disconnect({ teamId, connectionId });
    await update(everything, inDays(10));
    expect(await points()).toEqual(before.map(() => 0));
    await sync();
    expect(await points()).toEqual(before);
    expect(before).toContain(2);
  });

  it("requires the user if the provider cannot reopen it, and the error contains a link if one can be created", async () => {
    await connect("ada");
    await banking().connections.disconnect({ teamId, connectionId });
    const { reopen: _, ...rest } = await configuredBanks(purser.platform).at("sandbox");
    replaced = { ...rest, reopen: undefined as never };
    const attempt = () => update(everything, inDays(10)).catch((error: unknown) => problemOf(error));
    const problem = await attempt();
    expect(problem).toMatchObject({
      code: "REAUTHORIZATION_REQUIRED",
      link: expect.stringContaining("lnk_"),
    });
    replaced.createLink = () => Promise.reject(new BankError("outage", "No links today"));
    const withoutLink = await attempt();
    expect(withoutLink).toMatchObject({ code: "REAUTHORIZATION_REQUIRED", link: undefined });
    expect(await banking().connections.list({ teamId })).toMatchObject([{ status: "DISCONNECTED" }]);
  });

  it("stays unchanged if the bank fails midway", async () => {
    await connect("ada");
    const ended = await banking().connections.disconnect({ teamId, connectionId });
    await purser.drain();
    replaced = { accounts: () => Promise.reject(new BankError("outage", "It is down")) };
    expect(await refusalOf(update(everything, inDays(10)))).toBe("PROVIDER_ERROR");
    expect(await consents()).toMatchObject(ended.consents);
    const [row] = await purser.db.select().from(bankConsents).where(eq(bankConsents.organizationId, teamId));
    expect(row?.token).toBeNull();
  });

  it("is not revived by an update that started before the disconnection", async () => {
    await connect("ada");
    await update(everything, inDays(3));
    const calls = Array.from({ length: 4 }, (_, index) => update(everything, inDays(4 + index)));
    const refusals = Promise.all(calls.map((call) => call.then(() => null, problemOf)));
    await banking().connections.disconnect({ teamId, connectionId });
    for (const refusal of await refusals) if (refusal !== null) expect(refusal.code).toBe("UNAVAILABLE");
    const [connection] = await banking().connections.list({ teamId });
    const [row] = await purser.db.select().from(bankConsents).where(eq(bankConsents.organizationId, teamId));
    const isOn = connection!.status === "ACTIVE";
    expect(row).toMatchObject({ status: isOn ? "AUTHORIZED" : "REVOKED" });
    expect(row!.token === null).toBe(!isOn);
  });
});

describe("a consent that has expired", () => {
  it("reads as revoked from the instant of expiry, without a call to the bank", async () => {
    await connect("ada");
    await sync();
    const expiresAt = inDays(1);
    await update(everything, expiresAt);
    purser.clock.set(new Date(expiresAt.getTime() - 1));
    expect(await consents()).toMatchObject([{ status: "AUTHORIZED", revokedAt: null }]);
    purser.clock.advance(1);
    let calls = 0;
    const consentStatus = async () => {
      calls += 1;
      return { status: "authorized", expiresAt: null } as const;
    };
    replaced = { consentStatus };
    expect(await consents()).toMatchObject([{ status: "REVOKED", expiresAt, revokedAt: expiresAt }]);
    expect(await refusalOf(sync())).toBe("CONSENT_EXPIRED");
    expect(calls).toBe(0);
    expect(await banking().connections.list({ teamId })).toMatchObject([{ status: "ACTIVE" }]);
  });

  it("is authorized again by an update, and continues with the stored data", async () => {
    await connect("ada");
    await sync();
    const before = await ledger();
    await update(everything, inDays(0.1));
    purser.clock.advance(0.1 * day);
    await update(everything, inDays(100));
    expect(await consents()).toMatchObject([{ status: "AUTHORIZED", revokedAt: null }]);
    expect(await sync()).toMatchObject({ consents: [{ status: "AUTHORIZED", expiresAt: inDays(100) }] });
    expect(await ledger()).toEqual(before);
  });

  it("is also reopened at the bank if the bank had revoked it", async () => {
    await connect("ada");
    await sync();
    await purser.as(owner).sandbox.banking.revokeConsent({ teamId, connectionId, notify: false });
    await refusalOf(sync());
    expect(await consents()).toMatchObject([{ status: "REVOKED" }]);
    expect(await update(everything, inDays(5))).toMatchObject({ status: "AUTHORIZED" });
    const [atBank] = await purser.db
      .select()
      .from(sandboxBankConsents)
      .where(eq(sandboxBankConsents.organizationId, teamId));
    expect(atBank?.status).toBe("AUTHORIZED");
    expect(await sync()).toMatchObject({ status: "ACTIVE" });
  });
});
