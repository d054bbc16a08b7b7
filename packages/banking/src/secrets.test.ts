// @module-tag slow
import { randomBytes } from "node:crypto";
import { day } from "@purser/core/testing";
import type { Database } from "@purser/db";
import { keyStatus, rotateKeys } from "@purser/platform/keys";
import { type Person, type TestPurser, configuredBanks, createTestPurser, refusalOf } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { countBankHashes, rehashAccounts } from "./accounts/service/rehash.ts";
import { revokeUnclaimed } from "./exchanges/service.ts";
import { completeLink } from "./link/service/hosted-links.ts";
import { type Access, BankError, type BankProvider } from "./ports.ts";
import { approveLink } from "./sandbox/links.ts";
import { gate } from "./testing/scripted-bank.ts";

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const third = { version: 3, key: randomBytes(32) };
const fourth = { version: 4, key: randomBytes(32) };
/** The service's current keys. The operator changes them. */
const keys = [first];

const publicToken = `public-${randomBytes(16).toString("hex")}`;
const accessToken = `access-${randomBytes(16).toString("hex")}`;

let purser: TestPurser;
let owner: Person;
let teamId: string;

/** The sandbox as a provider that exchanges a single-use secret for a permanent token. */
async function secretiveBank(): Promise<BankProvider> {
  const sandbox = await configuredBanks(purser.platform).at("sandbox");
  const tokens = new Map<string, string>();
  const known = (access: Access): Access => {
    const token = tokens.get(access.consentId);
    if (token === undefined) return access;
    if (access.token !== accessToken) throw new Error("The token is wrong");
    return { ...access, token };
  };
  const { feed } = sandbox;
  if (feed.kind !== "cursor") throw new Error("It has no cursor");
  return {
    ...sandbox,
    feed: { ...feed, changes: (access, ...rest) => feed.changes(known(access), ...rest) },
    async exchangeConsent(reference) {
      if (reference.consentId === publicToken) return { consentId: "item", token: accessToken };
      const { consentId, token } = await sandbox.openConsent(reference);
      return { consentId, token: token! };
    },
    async openConsent(reference, token) {
      const grant = await sandbox.openConsent(reference);
      if (token !== accessToken) return grant;
      tokens.set(grant.consentId, grant.token!);
      return { ...grant, token };
    },
    accounts: (access) => sandbox.accounts(known(access)),
    consentStatus: (access) => sandbox.consentStatus(known(access)),
    revoke: (access) => sandbox.revoke(known(access)),
  };
}

beforeAll(async () => {
  let bank: Promise<BankProvider> | undefined;
  purser = await createTestPurser({
    settings: { encryptionKeys: keys },
    banks: { configured: ["sandbox"], at: () => (bank ??= secretiveBank()) },
  });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const banking = () => purser.as(owner).banking;

/** Every row of every table, as in a stolen dump. */
async function dumpOf(db: Database): Promise<string> {
  const tables = await db.execute<{ name: string }>(sql`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`);
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.execute<{ row: string }>(
      sql`SELECT row_to_json(one)::text AS row FROM ${sql.raw(name)} one`,
    );
    parts.push(`${name}\n${rows.map(({ row }) => row).join("\n")}`);
  }
  return parts.join("\n\n");
}

describe("a dump of the database", () => {
  it("contains no token or account number before, during and after a bank is connected", async () => {
    const keyed = purser.as(owner, { idempotencyKey: "secret" }).banking.connections;
    const { id: connectionId } = await keyed.connect({ teamId, ...bank, consentId: publicToken });
    const accounts = await banking().accounts.list({ teamId });
    const numbers = accounts.flatMap(({ accountNumber }) => accountNumber ?? []);
    expect(numbers.length).toBeGreaterThan(1);
    const secrets = [publicToken, accessToken, ...numbers];
    const leaks = async () => {
      const dump = await dumpOf(purser.db);
      // Otherwise the dump would trivially contain none.
      expect(dump).toContain(connectionId);
      expect(dump).toContain("pgboss.job");
      return secrets.filter((secret) => dump.includes(secret));
    };
    expect(await leaks()).toEqual([]);
    await purser.drain();
    await banking().connections.sync({ teamId, connectionId });
    expect((await banking().transactions.list({ teamId })).length).toBeGreaterThan(10);
    expect(await leaks()).toEqual([]);
    // The revocation job carries the token.
    await banking().connections.disconnect({ teamId, connectionId });
    expect(await leaks()).toEqual([]);
    await purser.drain();
    expect(await leaks()).toEqual([]);
  });

  it("would contain them if they were stored in plain text", async () => {
    await banking().connections.connect({ teamId, ...bank, consentId: "ada", metadata: { publicToken } });
    expect(await dumpOf(purser.db)).toContain(publicToken);
  });
});

describe("a new key", () => {
  /** Opens a link, and returns the consent that Ada gives on the bank's page. */
  async function giveConsent(): Promise<string> {
    const { url } = await banking().link.create({ teamId, ...bank });
    const linkId = url.split("/").at(-1)!;
    const choice = { customerName: "Ada", accounts: [0, 1, 2, 3, 4], transactions: true, days: 90 };
    const back = new URL((await approveLink(purser.platform, linkId, choice))!);
    const target = new URL(await completeLink(purser.platform, linkId, back.searchParams));
    return target.searchParams.get("consentId")!;
  }

  async function link(): Promise<string> {
    const consentId = await giveConsent();
    const { id } = await banking().connections.connect({ teamId, ...bank, consentId });
    await purser.drain();
    return id;
  }

  const ledger = async () => ({
    accounts: (await banking().accounts.list({ teamId })).map(({ id }) => id),
    transactions: (await banking().transactions.list({ teamId })).map(({ id }) => id),
  });

  it("can become the only key, and accounts that are linked again are still recognized", async () => {
    let connectionId = await link();
    const before = await ledger();
    expect(before.accounts).toHaveLength(5);
    const linkAgain = async () => {
      await banking().connections.disconnect({ teamId, connectionId });
      const again = await link();
      expect(again).not.toBe(connectionId);
      connectionId = again;
      expect(await ledger()).toEqual(before);
    };
    await linkAgain();
    keys.unshift(second);
    // While both keys are configured, hashes of the older one still match.
    await linkAgain();
    const rotation = await rotateKeys(purser.db, keys, () => undefined);
    expect(rotation.unreadable).toEqual([]);
    await rehashAccounts(purser.db, keys);
    expect(await rehashAccounts(purser.db, keys)).toEqual({ rehashed: 0, unreadable: [] });
    const tomorrow = new Date(purser.clock.now().getTime() + day);
    expect(await countBankHashes(purser.db, tomorrow)).toEqual([
      { location: "bank_accounts.identity_hashes", version: 2, secrets: expect.any(Number) },
    ]);
    keys.pop();
    expect((await keyStatus(purser.db)).every(({ version }) => version === 2)).toBe(true);
    await linkAgain();
    expect(await banking().connections.sync({ teamId, connectionId })).toMatchObject({ status: "ACTIVE" });
    const [account] = await banking().accounts.list({ teamId });
    expect(account!.accountNumber).toMatch(/^\d{8}$/);
  });

  it("leaves the old one in use for links and exchanges that are not connected yet, for a day", async () => {
    purser.clock.advance(day);
    const [{ version } = first] = keys;
    const consentId = await giveConsent();
    const provider = await purser.platform.banks.at("sandbox");
    const { openConsent } = provider;
    onTestFinished(() => void Object.assign(provider, { openConsent }));
    Object.assign(provider, { openConsent: () => Promise.reject(new BankError("outage", "It is down")) });
    const refused = await refusalOf(banking().connections.connect({ teamId, ...bank, consentId }));
    expect(refused).toBe("PROVIDER_ERROR");
    keys.unshift(fourth);
    await rotateKeys(purser.db, keys, () => undefined);
    await rehashAccounts(purser.db, keys);
    const uses = async () => {
      const all = await countBankHashes(purser.db, purser.clock.now());
      return all.filter((use) => use.version === version).map(({ location, secrets }) => [location, secrets]);
    };
    expect(await uses()).toEqual([
      ["bank_links.reference_hash", 1],
      ["bank_links.state_hash", 1],
      ["bank_exchanges.reference_hash", 1],
    ]);
    purser.clock.advance(day + 1);
    await revokeUnclaimed(purser.platform);
    expect(await uses()).toEqual([]);
  });

  it("ends no sync that runs while the tokens are sealed with it", async () => {
    const connectionId = await link();
    const provider = await purser.platform.banks.at("sandbox");
    const { accounts } = provider;
    const { arrived, pass, open } = gate();
    const held = async (...request: Parameters<typeof accounts>) => {
      await pass();
      return accounts(...request);
    };
    Object.assign(provider, { accounts: held });
    onTestFinished(() => void Object.assign(provider, { accounts }));
    const syncing = banking().connections.sync({ teamId, connectionId });
    await arrived;
    keys.unshift(third);
    expect((await rotateKeys(purser.db, keys, () => undefined)).resealed).toBeGreaterThan(0);
    open();
    expect(await syncing).toMatchObject({ status: "ACTIVE" });
    const [sync] = await banking().syncs.list({ teamId, connectionId });
    expect(sync).toMatchObject({ status: "SUCCEEDED" });
  });
});
