import { randomBytes } from "node:crypto";
import { BankError, type BankProvider } from "@purser/banking/ports";
import { day, hour } from "@purser/core/testing";
import { bankConnections, idempotencyKeys, organizations } from "@purser/db";
import { leaseMs, purgeIdempotencyKeys, releaseLapsedKeys } from "@purser/platform";
import { keyStatus, rotateKeys } from "@purser/platform/keys";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  isNightly,
  onEachServer,
  outcomeOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { and, eq, isNull, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

let purser: TestPurser;
let owner: Person;
/** The methods of the sandbox bank that a test replaces. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
});
afterAll(() => purser.close());

/** On a cluster, the output of most mutations is stored in their organization. */
const isInProgress = and(isNull(idempotencyKeys.output), isNull(idempotencyKeys.resultIn));

const organizationsOf = async (person: Person) =>
  (await purser.as(person).organizations.list({ userId: person.userId })).map(({ id }) => id);

describe("an idempotency key", () => {
  it("returns the first response to a repeated mutation, including dates, with one effect", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "one" }).organizations;
    const first = await create({ name: "Acme" });
    expect(await create({ name: "Acme" })).toEqual(first);
    expect(await create({ name: " Acme " })).toEqual(first);
    expect(await organizationsOf(owner)).toEqual([first.id]);
  });

  it("has one effect for 100 identical concurrent requests, for every seed", async () => {
    const seeds = isNightly ? 100 : 3;
    for (let seed = 0; seed < seeds; seed += 1) {
      owner = await purser.person();
      const { create } = purser.as(owner, { idempotencyKey: `parallel-${seed}` }).organizations;
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({ name: "Acme" })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await organizationsOf(owner)).toHaveLength(1);
    }
  });

  it("is refused with another input, even if the caller can no longer see the resource", async () => {
    owner = await purser.person();
    const one = await purser.organization(owner);
    const other = await purser.organization(owner);
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete" }).organizations;
    await remove({ id: one });
    expect(await refusalOf(remove({ id: other }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await refusalOf(remove({ id: purser.unknownId("org") }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("returns the first response to a repeated delete, leave and accept", async () => {
    owner = await purser.person();
    const member = await purser.person();
    const organizationId = await purser.organization(owner, { members: [member] });
    const [membership] = await purser.as(member).organizations.members.list({ organizationId });
    const leave = purser.as(member, { idempotencyKey: "leave" }).organizations.members;
    await leave.remove({ membershipId: membership!.id });
    await expect(leave.remove({ membershipId: membership!.id })).resolves.toBeUndefined();
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete-2" }).organizations;
    await remove({ id: organizationId });
    await expect(remove({ id: organizationId })).resolves.toBeUndefined();
  });

  it("is reusable after a failure", async () => {
    owner = await purser.person();
    const key = { idempotencyKey: "failing" };
    const organizationId = await purser.organization(owner);
    const { create } = purser.as(owner, key).organizations.invitations;
    const itself = create({ organizationId, email: owner.email, role: "MEMBER" });
    expect(await refusalOf(itself)).toBe("ALREADY_MEMBER");
    await create({ organizationId, email: "somebody@example.com", role: "MEMBER" });
  });

  it("belongs to one user and one procedure", async () => {
    owner = await purser.person();
    const other = await purser.person();
    const key = { idempotencyKey: "shared" };
    const mine = await purser.as(owner, key).organizations.create({ name: "Acme" });
    const theirs = await purser.as(other, key).organizations.create({ name: "Acme" });
    expect(theirs.id).not.toBe(mine.id);
    await purser.as(owner, key).organizations.update({ id: mine.id, name: "Best" });
  });

  it("is valid for 24 hours, independent of the purge job", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "daily" }).organizations;
    const first = await create({ name: "Acme" });
    purser.clock.advance(24 * hour);
    expect((await create({ name: "Acme" })).id).toBe(first.id);
    purser.clock.advance(1);
    expect((await create({ name: "Acme" })).id).not.toBe(first.id);
  });

  it("is purged after it expires, in any number", async () => {
    const old = purser.clock.now().toISOString();
    await purser.db.execute(sql`
      INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
      SELECT 'user_1', 'organizations.create', number::text, '', ${old}::timestamptz FROM generate_series(1, 12000) number`);
    purser.clock.advance(2 * day);
    expect(await purgeIdempotencyKeys(purser.db, purser.clock.now())).toBeGreaterThanOrEqual(12_000);
    expect(await purser.db.select().from(idempotencyKeys)).toEqual([]);
  });

  it("is stored so that a copy of the database does not reveal the output", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "sealed" }).organizations;
    const first = await keyed().create({ name: "Telltale Ltd" });
    const [row] = await purser.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "sealed"));
    expect(row!.output).toMatch(/^v1\./);
    // A process of the previous version, which may get the repeat, compares the text as it is.
    expect(row!.fingerprint).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain("Telltale");
    expect(await keyed().create({ name: "Telltale Ltd" })).toEqual(first);
  });

  it("returns the first response after the key of secrets was rotated, and the old one removed", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "rotated" }).organizations;
    const first = await keyed().create({ name: "Acme" });
    const { settings } = purser.platform;
    const { encryptionKeys: old } = settings;
    const next = { version: 2, key: randomBytes(32) };
    onTestFinished(() => void Object.assign(settings, { encryptionKeys: [...old, next] }));
    Object.assign(settings, { encryptionKeys: [next, ...old] });
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    await rotateKeys(purser.db, settings.encryptionKeys, () => undefined);
    Object.assign(settings, { encryptionKeys: [next] });
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    expect(await refusalOf(keyed().create({ name: "Best" }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("of a lost response with a secret leads to that secret's end, not to a second endpoint", async () => {
    owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const { create } = purser.as(owner, { idempotencyKey: "secret" }).webhookEndpoints;
    const input = { organizationId, url: "http://localhost:4000/purser" };
    await create(input);
    expect(await create(input).catch(problemOf)).toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
      help: expect.stringMatching(/revoke the API key.*rotate the secret/),
    });
  });

  it("returns an output that an earlier version stored unsealed, and key rotation ignores it", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "plain" }).organizations;
    const first = await keyed().create({ name: "Acme" });
    await purser.db.execute(
      sql`UPDATE idempotency_keys SET output = ${JSON.stringify({ output: first })} WHERE key = 'plain'`,
    );
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    const uses = await keyStatus(purser.db);
    expect(uses.map(({ location }) => location)).toContain("idempotency_keys.output");
  });
});

describe("an idempotency key of a mutation that calls a provider", () => {
  let teamId: string;
  /** The number of calls to the bank, and the function that lets it answer. */
  let bankCalls: number;
  let answer: () => void;

  beforeEach(async () => {
    owner = await purser.person();
    teamId = await purser.organization(owner);
    bankCalls = 0;
    const gate = new Promise<void>((open) => {
      answer = open;
    });
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced = {
      async accounts(access) {
        bankCalls += 1;
        // Only the first call blocks.
        if (bankCalls === 1) await gate;
        return sandbox.accounts(access);
      },
    };
  });
  afterEach(() => {
    answer();
    replaced = {};
  });

  const connect = (change: object = {}) =>
    purser.as(owner, { idempotencyKey: "bank" }).banking.connections.connect({
      teamId,
      provider: "sandbox",
      providerId: "sprout-bank",
      consentId: "ada",
      ...change,
    });
  const connections = () => purser.db.$count(bankConnections, eq(bankConnections.organizationId, teamId));

  const polled = { timeout: 60_000, interval: 5 };
  const untilBankCalled = () => vi.waitUntil(() => bankCalls > 0, polled);
  /** From now on, no lease is renewed, however long the machine takes: the clock stands still, but a renewal is due in 5 s. */
  const stopRenewals = () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it("is locked during the provider call; a later repeat gets the first response", async () => {
    const first = connect();
    await untilBankCalled();
    expect(await refusalOf(connect())).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await refusalOf(connect({ consentId: "bob" }))).toBe("IDEMPOTENCY_KEY_REUSED");
    answer();
    const output = await first;
    expect(await connect()).toEqual(output);
    expect(await refusalOf(connect({ consentId: "bob" }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(bankCalls).toBe(1);
    expect(await connections()).toBe(1);
  });

  it("lets one of 20 concurrent requests call the provider", async () => {
    const calls = Array.from({ length: 20 }, () => outcomeOf(connect()));
    await untilBankCalled();
    answer();
    const outcomes = new Set(await Promise.all(calls));
    outcomes.delete("IDEMPOTENCY_IN_PROGRESS");
    expect([[...outcomes], bankCalls, await connections()]).toEqual([["ok"], 1, 1]);
  });

  it("is reusable after the provider has failed", async () => {
    const working = replaced;
    replaced = { accounts: () => Promise.reject(new BankError("outage", "It is down")) };
    expect(await refusalOf(connect())).toBe("PROVIDER_ERROR");
    replaced = working;
    answer();
    expect(await connect({ consentId: "bob" })).toMatchObject({ consents: [{ id: "bob" }] });
  });

  it("is freed without the caller waiting for it when the database has failed", async () => {
    const first = refusalOf(connect());
    await untilBankCalled();
    const blocked = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await purser.db.transaction(async (holder) => {
      await holder.select().from(organizations).where(eq(organizations.id, teamId)).for("update");
      await holder.select().from(idempotencyKeys).where(isInProgress).for("update");
      answer();
      const end = () => onEachServer(purser.db, `SELECT count(pg_terminate_backend(pid)) FROM ${blocked}`);
      await vi.waitUntil(async () => (await end()).some((ended) => ended !== "0"), polled);
      const isFreeing = sql.raw(`SELECT FROM ${blocked} AND query ILIKE 'delete%'`);
      const freed = vi.waitUntil(async () => (await purser.db.execute(isFreeing)).length > 0, polled);
      expect(await Promise.race([first, freed])).toBe("UNAVAILABLE");
      await freed;
    });
    await expect.poll(() => purser.db.$count(idempotencyKeys, isInProgress)).toBe(0);
  });

  it("expires its lease after 15 s without a renewal, and fences off the late holder", async () => {
    stopRenewals();
    const first = connect();
    await untilBankCalled();
    purser.clock.advance(leaseMs);
    expect(await refusalOf(connect())).toBe("IDEMPOTENCY_IN_PROGRESS");
    purser.clock.advance(1);
    const repeated = await connect();
    answer();
    expect(await refusalOf(first)).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await connect()).toEqual(repeated);
    const trail = await purser.as(owner).organizations.audit.list({ id: teamId });
    expect(trail.filter(({ action }) => action === "banking.connections.connect")).toHaveLength(1);
  });

  it("is released without a repeat once its lease has expired, and fences off the late holder", async () => {
    stopRenewals();
    const first = connect();
    await untilBankCalled();
    const left = () => purser.db.$count(idempotencyKeys, isInProgress);
    purser.clock.advance(leaseMs);
    await releaseLapsedKeys(purser.platform);
    expect(await left()).toBe(1);
    purser.clock.advance(1);
    await releaseLapsedKeys(purser.platform);
    expect(await left()).toBe(0);
    answer();
    expect(await refusalOf(first)).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await connections()).toBe(0);
  });

  it("is not released by a late holder that fails after another request has taken the lease", async () => {
    stopRenewals();
    const sandbox = replaced;
    let fail: (error: Error) => void = () => undefined;
    const hanging = new Promise<never>((_, reject) => {
      fail = reject;
    });
    replaced = {
      accounts: () => {
        bankCalls += 1;
        return hanging;
      },
    };
    const first = connect();
    await untilBankCalled();
    purser.clock.advance(leaseMs + 1);
    replaced = sandbox;
    const repeated = await connect();
    fail(new BankError("outage", "It is down"));
    expect(await refusalOf(first)).toBe("PROVIDER_ERROR");
    expect(await connect()).toEqual(repeated);
    expect(await connections()).toBe(1);
  });

  it("returns the first response even if the caller has lost access", async () => {
    answer();
    const second = await purser.person();
    teamId = await purser.organization(second, { owners: [owner] });
    const output = await connect();
    const { members } = purser.as(second).organizations;
    const list = await members.list({ organizationId: teamId });
    await members.remove({ membershipId: list.find(({ userId }) => userId === owner.userId)!.id });
    expect(await connect()).toEqual(output);
    expect(await refusalOf(connect({ consentId: "bob" }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("is valid for 24 hours", async () => {
    answer();
    const output = await connect();
    const { disconnect, list } = purser.as(owner).banking.connections;
    await disconnect({ teamId, connectionId: output.id });
    purser.clock.advance(24 * hour);
    expect(await connect()).toEqual(output);
    expect(await list({ teamId })).toMatchObject([{ id: output.id, status: "DISCONNECTED" }]);
    purser.clock.advance(1);
    await connect();
    expect(await list({ teamId })).toMatchObject([{ id: output.id, status: "ACTIVE" }]);
  });
});
