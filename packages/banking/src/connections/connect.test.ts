import { problemDocument, unknownCountry } from "@purser/core";
import { day } from "@purser/core/testing";
import { bankAccounts, bankConnections, bankConsents, bankSyncs } from "@purser/db";
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
const banking = () => purser.as(owner).banking;
const connect = (consentId = "ada", more: object = {}) =>
  banking().connections.connect({ teamId, ...bank, consentId, ...more });

/** The number of a team's rows in each table that connecting writes to. */
async function traces(): Promise<number[]> {
  const tables = [bankConnections, bankConsents, bankAccounts, bankSyncs];
  return Promise.all(tables.map((table) => purser.db.$count(table, eq(table.organizationId, teamId))));
}

describe("banking.connections.connect", () => {
  it("responds once the accounts are stored; transactions follow in the background", async () => {
    await connect();
    expect(await banking().accounts.list({ teamId })).toHaveLength(5);
    expect(await banking().transactions.list({ teamId })).toEqual([]);
    expect(await banking().syncs.list({ teamId })).toMatchObject([{ trigger: "CONNECT", status: "QUEUED" }]);
    await purser.drain();
    expect((await banking().transactions.list({ teamId })).length).toBeGreaterThan(10);
    expect(await banking().syncs.list({ teamId })).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  it("responds with exactly the documented fields", async () => {
    expect(await connect()).toEqual({
      id: expect.stringMatching(/^bcn_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      teamId,
      ...bank,
      status: "ACTIVE",
      consents: [
        {
          id: "ada",
          status: "AUTHORIZED",
          scopes: ["accounts", "balances", "transactions"],
          expiresAt: new Date(purser.clock.now().getTime() + 90 * day),
          revokedAt: null,
        },
      ],
    });
  });

  it("returns the same connection when repeated, with or without an idempotency key, whatever the metadata", async () => {
    const first = await connect();
    expect(await connect()).toEqual(first);
    expect(await connect("ada", { metadata: { branch: "North" } })).toEqual(first);
    const keyed = purser.as(owner, { idempotencyKey: "again" }).banking.connections;
    const input = { teamId, ...bank, consentId: "ada" };
    expect(await keyed.connect(input)).toEqual(first);
    expect(await keyed.connect(input)).toEqual(first);
    expect(await traces()).toEqual([1, 1, 5, 1]);
  });

  it("creates one connection for 20 concurrent requests", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => connect()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await traces()).toEqual([1, 1, 5, 1]);
  });

  it("creates a separate connection for another team that uses the same consent", async () => {
    const mine = await connect();
    const accounts = await banking().accounts.list({ teamId });
    teamId = await purser.organization(owner);
    const other = await connect();
    expect(other).toMatchObject({ teamId, consents: [{ id: "ada" }] });
    expect(other.id).not.toBe(mine.id);
    const ids = new Set(accounts.map(({ id }) => id));
    expect((await banking().accounts.list({ teamId })).some(({ id }) => ids.has(id))).toBe(false);
  });

  it("creates a connection per consent", async () => {
    const ids = [(await connect("ada")).id, (await connect("bob")).id];
    expect((await banking().connections.list({ teamId })).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await traces()).toEqual([2, 2, 10, 2]);
  });

  it("is for owners only", async () => {
    const member = await purser.person();
    const stranger = await purser.person();
    teamId = await purser.organization(owner, { members: [member] });
    const input = { teamId, ...bank, consentId: "ada" };
    expect(await refusalOf(purser.as(member).banking.connections.connect(input))).toBe("FORBIDDEN");
    expect(await refusalOf(purser.as(stranger).banking.connections.connect(input))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
  });
});

describe("a bank that is in several countries, of which its provider names one", () => {
  /** Which purchases without `allowInternational` pass on a new card that the team's account funds. */
  async function domestic(): Promise<string[]> {
    const { cards } = purser.as(owner);
    const organizationId = teamId;
    const policy = await cards.policies.create({ organizationId, name: "Home", allowInternational: false });
    const account = (await banking().accounts.list({ teamId })).find(({ type }) => type === "CHECKING");
    const { id: cardId } = await cards.create({
      organizationId,
      policyId: policy.id,
      assignedToId: owner.userId,
      fundingAccountId: account!.id,
      purpose: "BUSINESS",
    });
    const passing: string[] = [];
    for (const country of ["AT", "GB"]) {
      const merchant = { name: "Shop", country };
      const purchase = { organizationId, cardId, amount: 100, merchant, channel: "in_store" } as const;
      if ((await cards.policies.check(purchase)).outcome === "approved") passing.push(country);
    }
    return passing;
  }

  const showNumbers = async (identifiers: string[]) => {
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced.accounts = async (access) =>
      (await sandbox.accounts(access)).map((account, index) => ({
        ...account,
        identifiers: index === 0 ? identifiers : [],
      }));
  };

  it("has the country of its accounts, so that purchases there are not international", async () => {
    await showNumbers(["iban:AT611904300234573201"]);
    await connect();
    expect(await domestic()).toEqual(["AT"]);
  });

  it("has the country that its provider names until it shows the numbers of its accounts", async () => {
    await showNumbers([]);
    const { id: connectionId } = await connect();
    expect(await domestic()).toEqual(["GB"]);
    await showNumbers(["iban:AT611904300234573201"]);
    await banking().connections.sync({ teamId, connectionId });
    expect(await domestic()).toEqual(["AT"]);
  });

  it("keeps its country if it is connected again and its provider names none", async () => {
    await showNumbers([]);
    const { id: connectionId } = await connect();
    await banking().connections.disconnect({ teamId, connectionId });
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced.openConsent = async (reference) => {
      const grant = await sandbox.openConsent(reference);
      return { ...grant, institution: { ...grant.institution, country: unknownCountry } };
    };
    expect(await connect()).toMatchObject({ id: connectionId, status: "ACTIVE" });
    expect(await domestic()).toEqual(["GB"]);
  });
});

describe("a consent at the sandbox whose id the caller made up", () => {
  it.each(["constructor", "toString", "__proto__"])(
    "may have the name of a property of objects: %s",
    async (id) => {
      expect(await connect(id)).toMatchObject({ status: "ACTIVE", consents: [{ id }] });
    },
  );

  it.each([32, 64])("may look like one of the consent page: consent- and %i hex digits", async (digits) => {
    const id = `consent-${"0123456789abcdef".repeat(digits / 16)}`;
    const connection = await connect(id);
    expect(connection).toMatchObject({ status: "ACTIVE", consents: [{ id }] });
    expect(await connect(id)).toEqual(connection);
  });
});

describe("a consent that cannot be connected", () => {
  it.each([
    ["an unknown provider", { provider: "tink" }, "VALIDATION_FAILED"],
    ["a provider without settings", { provider: "plaid" }, "PROVIDER_NOT_CONFIGURED"],
    ["another provider without settings", { provider: "yapily" }, "PROVIDER_NOT_CONFIGURED"],
    ["an unknown institution", { providerId: "no-bank" }, "INSTITUTION_NOT_FOUND"],
    ["a revoked consent", { consentId: "fail-revoked" }, "REAUTHORIZATION_REQUIRED"],
    ["an expired consent", { consentId: "fail-expired" }, "REAUTHORIZATION_REQUIRED"],
    ["a bank that is down", { consentId: "fail-outage" }, "PROVIDER_ERROR"],
    ["another team's consent", { consentId: "fail-foreign" }, "CONSENT_NOT_FOUND"],
    ["a space in the id", { consentId: "a b" }, "VALIDATION_FAILED"],
    ["a slash in the id", { consentId: "../ada" }, "VALIDATION_FAILED"],
    ["an umlaut in the id", { consentId: "bär" }, "VALIDATION_FAILED"],
    ["a line break after the id", { consentId: "ada\n" }, "VALIDATION_FAILED"],
    ["U+0000 in the id", { consentId: "a\0" }, "VALIDATION_FAILED"],
    ["no id", { consentId: "" }, "VALIDATION_FAILED"],
    ["an id that is too long", { consentId: "a".repeat(256) }, "VALIDATION_FAILED"],
    ["no institution", { providerId: "" }, "VALIDATION_FAILED"],
    ["an unknown field", { scopes: ["accounts"] }, "VALIDATION_FAILED"],
  ])("%s", async (_what, change, code) => {
    expect(await refusalOf(connect("ada", change))).toBe(code);
    expect(await traces()).toEqual([0, 0, 0, 0]);
  });

  it("is refused with the path of the invalid field", async () => {
    const issues = [{ path: ["consentId"], code: "custom", message: expect.any(String) }];
    const problem = await connect("a b").catch((error: unknown) => problemOf(error));
    expect(problem).toMatchObject({ code: "VALIDATION_FAILED", issues });
  });

  it("is not refused because of an id of the maximum length", async () => {
    expect(await connect("a".repeat(255))).toMatchObject({ consents: [{ id: "a".repeat(255) }] });
  });

  it("is refused at another institution than its own", async () => {
    await connect();
    expect(await refusalOf(connect("ada", { providerId: "sandbox-bank" }))).toBe("CONSENT_NOT_FOUND");
    expect(await traces()).toEqual([1, 1, 5, 1]);
  });
});

describe("a bank that fails while it is connected", () => {
  it("leaves nothing behind, and releases the idempotency key", async () => {
    replaced = { accounts: () => Promise.reject(new BankError("outage", "It is down")) };
    const keyed = purser.as(owner, { idempotencyKey: "middle" }).banking.connections;
    const input = { teamId, ...bank, consentId: "ada" };
    expect(await refusalOf(keyed.connect(input))).toBe("PROVIDER_ERROR");
    expect(await traces()).toEqual([0, 0, 0, 0]);
    expect(await banking().connections.list({ teamId })).toEqual([]);
    replaced = {};
    expect(await keyed.connect(input)).toMatchObject({ status: "ACTIVE" });
  });

  it("leaves nothing behind if the organization is deleted during the call", async () => {
    const { delete: remove } = purser.as(owner).organizations;
    const accounts = async () => {
      await remove({ id: teamId });
      return [];
    };
    replaced = { accounts };
    expect(await refusalOf(connect())).toBe("ORGANIZATION_NOT_FOUND");
    expect(await traces()).toEqual([0, 0, 0, 0]);
  });

  it("does not reveal its error message", async () => {
    const words = "token=secret at /srv/bank.ts";
    replaced = { openConsent: () => Promise.reject(new BankError("outage", words)) };
    const said = () =>
      connect().catch((error: unknown) => JSON.stringify(problemDocument(problemOf(error), "")));
    expect(await said()).not.toMatch(/secret|bank\.ts/);
    replaced = { openConsent: () => Promise.reject(new Error(words)) };
    expect(await said()).not.toMatch(/secret|bank\.ts/);
    expect(await refusalOf(connect())).toBe("INTERNAL");
  });
});

describe("a consent that has ended", () => {
  it("is activated again by connecting, for as long as the bank now grants it", async () => {
    const { id } = await connect();
    purser.clock.advance(90 * day);
    expect((await banking().connections.list({ teamId }))[0]!.consents[0]!.status).toBe("REVOKED");
    const again = await connect();
    expect(again).toMatchObject({
      id,
      status: "ACTIVE",
      consents: [
        {
          id: "ada",
          status: "AUTHORIZED",
          expiresAt: new Date(purser.clock.now().getTime() + 90 * day),
          revokedAt: null,
        },
      ],
    });
  });

  it("continues with the same accounts and transactions after a confirmation", async () => {
    const { id: connectionId } = await connect();
    const sync = () => banking().connections.sync({ teamId, connectionId });
    await sync();
    const transactions = await banking().transactions.list({ teamId });
    const { sandbox } = purser.as(owner);
    await sandbox.banking.requireReauthorization({ teamId, connectionId, notify: false });
    expect(await refusalOf(sync())).toBe("REAUTHORIZATION_REQUIRED");
    await sandbox.banking.repairConsent({ teamId, connectionId, notify: false });
    expect(await connect()).toMatchObject({ id: connectionId, status: "ACTIVE" });
    await sync();
    expect(await banking().transactions.list({ teamId })).toEqual(transactions);
  });
});
