import { BankError, type BankProvider } from "@purser/banking/ports";
import { day, hour, minute } from "@purser/core/testing";
import { bankConnections, idempotencyKeys } from "@purser/db";
import { purgeIdempotencyKeys } from "@purser/platform";
import { type Person, type TestPurser, configuredBanks, createTestPurser, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

let purser: TestPurser;
let owner: Person;
/** What a test replaces of the bank; the rest is the sandbox's. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  const at = async (name: "sandbox" | "plaid" | "yapily") => {
    const bank = await configuredBanks(purser.platform).at(name);
    return { ...bank, ...replaced };
  };
  purser = await createTestPurser({ banks: { configured: ["sandbox"], at } });
});
afterAll(() => purser.close());

const organizationsOf = async (person: Person) =>
  (await purser.as(person).organizations.list({ userId: person.userId })).map(({ id }) => id);

describe("an idempotency key", () => {
  it("gives a repeated mutation its first answer, dates and all, and one effect", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "one" }).organizations;
    const first = await create({ name: "Acme" });
    expect(await create({ name: "Acme" })).toEqual(first);
    expect(await create({ name: " Acme " })).toEqual(first);
    expect(await organizationsOf(owner)).toEqual([first.id]);
  });

  it("makes one effect of 100 identical requests in parallel, whatever the seed", async () => {
    const seeds = process.env["PURSER_PROFILE"] === "nightly" ? 100 : 3;
    for (let seed = 0; seed < seeds; seed += 1) {
      owner = await purser.person();
      const { create } = purser.as(owner, { idempotencyKey: `parallel-${seed}` }).organizations;
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({ name: "Acme" })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await organizationsOf(owner)).toHaveLength(1);
    }
  });

  it("is refused with another input, also where the caller may no longer see what it was about", async () => {
    owner = await purser.person();
    const one = await purser.organization(owner);
    const other = await purser.organization(owner);
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete" }).organizations;
    await remove({ id: one });
    expect(await refusalOf(remove({ id: other }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await refusalOf(remove({ id: purser.unknownId("org") }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("answers a repeated delete, leave and accept as the first was", async () => {
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

  it("is free again after a failure", async () => {
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

  it("is kept for 24 hours, whether or not it has been purged since", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "daily" }).organizations;
    const first = await create({ name: "Acme" });
    purser.clock.advance(24 * hour);
    expect((await create({ name: "Acme" })).id).toBe(first.id);
    purser.clock.advance(1);
    expect((await create({ name: "Acme" })).id).not.toBe(first.id);
  });

  it("is purged when its time is over, however many have piled up", async () => {
    const old = purser.clock.now().toISOString();
    await purser.db.execute(sql`
      INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
      SELECT 'user_1', 'organizations.create', number::text, '', ${old}::timestamptz FROM generate_series(1, 12000) number`);
    purser.clock.advance(2 * day);
    expect(await purgeIdempotencyKeys(purser.db, purser.clock.now())).toBeGreaterThanOrEqual(12_000);
    expect(await purser.db.select().from(idempotencyKeys)).toEqual([]);
  });
});

describe("an idempotency key of a mutation that asks a provider", () => {
  let teamId: string;
  /** How many times the bank was asked, and what lets it answer. */
  let asked: number;
  let answer: () => void;

  beforeEach(async () => {
    owner = await purser.person();
    teamId = await purser.organization(owner);
    asked = 0;
    const gate = new Promise<void>((open) => {
      answer = open;
    });
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced = {
      async accounts(access) {
        asked += 1;
        // Only the first one is slow.
        if (asked === 1) await gate;
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

  const untilAsked = () => vi.waitUntil(() => asked > 0, { interval: 5 });

  it("is held while the provider answers: a repeat is refused, and answered as the first was after that", async () => {
    const first = connect();
    await untilAsked();
    expect(await refusalOf(connect())).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await refusalOf(connect({ consentId: "bob" }))).toBe("IDEMPOTENCY_KEY_REUSED");
    answer();
    const output = await first;
    expect(await connect()).toEqual(output);
    expect(await refusalOf(connect({ consentId: "bob" }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(asked).toBe(1);
    expect(await connections()).toBe(1);
  });

  it("lets one of 20 requests at once ask the provider", async () => {
    const calls = Array.from({ length: 20 }, () => connect().catch(() => null));
    await untilAsked();
    answer();
    const ids = new Set((await Promise.all(calls)).flatMap((one) => one?.id ?? []));
    expect([ids.size, asked, await connections()]).toEqual([1, 1, 1]);
  });

  it("is free again after the provider has failed", async () => {
    const working = replaced;
    replaced = { accounts: () => Promise.reject(new BankError("outage", "It is down")) };
    expect(await refusalOf(connect())).toBe("PROVIDER_ERROR");
    replaced = working;
    answer();
    expect(await connect({ consentId: "bob" })).toMatchObject({ consents: [{ id: "bob" }] });
  });

  it("is free after three minutes where its holder says nothing, who then has no effect any more", async () => {
    const first = connect();
    await untilAsked();
    purser.clock.advance(3 * minute);
    expect(await refusalOf(connect())).toBe("IDEMPOTENCY_IN_PROGRESS");
    purser.clock.advance(1);
    const repeated = await connect();
    answer();
    expect(await refusalOf(first)).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await connect()).toEqual(repeated);
    const trail = await purser.as(owner).organizations.audit.list({ id: teamId });
    expect(trail.filter(({ action }) => action === "banking.connections.connect")).toHaveLength(1);
  });

  it("is not freed by a holder that fails after another one has taken it", async () => {
    const sandbox = replaced;
    let fail: (error: Error) => void = () => undefined;
    const hanging = new Promise<never>((_, reject) => {
      fail = reject;
    });
    replaced = {
      accounts: () => {
        asked += 1;
        return hanging;
      },
    };
    const first = connect();
    await untilAsked();
    purser.clock.advance(3 * minute + 1);
    replaced = sandbox;
    const repeated = await connect();
    fail(new BankError("outage", "It is down"));
    expect(await refusalOf(first)).toBe("PROVIDER_ERROR");
    expect(await connect()).toEqual(repeated);
    expect(await connections()).toBe(1);
  });

  it("answers a repeat also where its sender may no longer ask", async () => {
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

  it("is kept for 24 hours", async () => {
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
