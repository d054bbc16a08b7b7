import { BankError, type BankProvider } from "@purser/banking/ports";
import { Problem } from "@purser/core";
import { hour } from "@purser/core/testing";
import { bankConnections, idempotencyKeys, idempotencyResults, organizations } from "@purser/db";
import {
  createContext,
  leaseEnd,
  leaseMs,
  releaseLapsedKeys,
  transactAfterProviderCall,
} from "@purser/platform";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  distributedDatabaseUrl,
  onEachServer,
  openOtherProcess,
  outcomeOf,
  refusalOf,
  startTcpProxy,
} from "@purser/testing";
import { eq, isNull, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

let purser: TestPurser;
let owner: Person;
/** The methods of the sandbox bank that a test replaces. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
});
afterAll(() => purser.close());

const isCluster = distributedDatabaseUrl !== null;

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
  const isInProgress = isNull(idempotencyKeys.output);
  const auditedConnects = async () => {
    const trail = await purser.as(owner).organizations.audit.list({ id: teamId });
    return trail.filter(({ action }) => action === "banking.connections.connect").length;
  };
  const blocked = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  /** Breaks the connections that wait for a lock, as soon as there are some. */
  const breakBlocked = () =>
    vi.waitUntil(async () => {
      const broken = await onEachServer(purser.db, `SELECT count(pg_terminate_backend(pid)) FROM ${blocked}`);
      return broken.some((ended) => ended !== "0");
    }, polled);
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

  it.skipIf(isCluster)(
    "is freed without the caller waiting for it when the database has failed",
    async () => {
      const first = refusalOf(connect());
      await untilBankCalled();
      await purser.db.transaction(async (holder) => {
        await holder.select().from(organizations).where(eq(organizations.id, teamId)).for("update");
        await holder.select().from(idempotencyKeys).where(isInProgress).for("update");
        answer();
        await breakBlocked();
        const isFreeing = sql.raw(`SELECT FROM ${blocked} AND query ILIKE 'delete%'`);
        const freed = vi.waitUntil(async () => (await purser.db.execute(isFreeing)).length > 0, polled);
        expect(await Promise.race([first, freed])).toBe("UNAVAILABLE");
        await freed;
      });
      await expect.poll(() => purser.db.$count(idempotencyKeys, isInProgress)).toBe(0);
    },
  );

  it("is free for a repeat when the database has failed", async () => {
    const first = refusalOf(connect());
    await untilBankCalled();
    await purser.db.transaction(async (holder) => {
      await holder.select().from(organizations).where(eq(organizations.id, teamId)).for("update");
      answer();
      await breakBlocked();
      expect(await first).toBe("UNAVAILABLE");
    });
    await expect.poll(() => outcomeOf(connect())).toBe("ok");
    expect([await connections(), await auditedConnects()]).toEqual([1, 1]);
  });

  it("expires its lease after 15 s without a renewal, and fences off the late holder", async () => {
    stopRenewals();
    const first = connect();
    await untilBankCalled();
    purser.clock.advance(leaseMs - 1);
    expect(await refusalOf(connect())).toBe("IDEMPOTENCY_IN_PROGRESS");
    purser.clock.advance(2);
    const repeated = await connect();
    answer();
    // In the organization's shard, the late holder finds the output of the repeat.
    if (isCluster) expect(await first).toEqual(repeated);
    else expect(await refusalOf(first)).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(await connect()).toEqual(repeated);
    expect(await auditedConnects()).toBe(1);
  });

  // On a cluster, the row in the organization's shard decides, whatever is released.
  it.skipIf(isCluster)(
    "is released without a repeat once its lease has expired, and fences off the late holder",
    async () => {
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
    },
  );

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

  it("is freed later if the database is away when the provider fails", async () => {
    const proxy = await startTcpProxy(purser.platform.settings.databaseUrl!);
    onTestFinished(() => proxy.close());
    const other = await openOtherProcess(purser, { settings: { databaseUrl: proxy.url } });
    onTestFinished(() => other.close());
    const request = { requestId: "req_1", fromTrustedOrigin: false, idempotencyKey: "refused" };
    const created = createContext(other.platform, { ...request, caller: owner });
    const context = { ...created, caller: owner, procedure: "refused" };
    const callProvider = async () => {
      proxy.refuse();
      throw new Problem("PROVIDER_ERROR");
    };
    const call = transactAfterProviderCall(context, teamId, {}, callProvider, async () => "never");
    expect(await refusalOf(call)).toBe("PROVIDER_ERROR");
    const inProgress = async () => {
      const keys = await purser.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "refused"));
      // On a cluster, the note stays, and says until when the key is held.
      return keys.filter(({ resultLeasedUntil }) => (resultLeasedUntil ?? leaseEnd(now)) > now).length;
    };
    const now = purser.clock.now();
    expect(await inProgress()).toBe(1);
    proxy.restore();
    await expect.poll(inProgress).toBe(0);
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

  describe.runIf(isCluster)("on a cluster", () => {
    const setLease = (resultLeasedUntil: Date) =>
      purser.db.update(idempotencyKeys).set({ resultLeasedUntil }).where(isInProgress);
    const forget = () =>
      purser.db.delete(idempotencyResults).where(eq(idempotencyResults.organizationId, teamId));
    const later = { consentId: "bob" };

    it("returns the output that is in the organization, whatever became of the lease, and refuses another input", async () => {
      answer();
      const output = await connect();
      for (const lease of [leaseEnd(purser.clock.now()), purser.clock.now()]) {
        await setLease(lease);
        expect(await connect()).toEqual(output);
        expect(await refusalOf(connect(later))).toBe("IDEMPOTENCY_KEY_REUSED");
      }
      purser.clock.advance(leaseMs + 1);
      await releaseLapsedKeys(purser.platform);
      expect(await connect()).toEqual(output);
      expect(await refusalOf(connect(later))).toBe("IDEMPOTENCY_KEY_REUSED");
      expect([bankCalls, await auditedConnects()]).toEqual([1, 1]);
    });

    it.each([
      ["the same input", {}],
      ["another input", later],
    ])("is taken over by %s once the lease of a dead process has lapsed", async (_what, change) => {
      answer();
      await connect();
      await forget();
      await setLease(leaseEnd(purser.clock.now()));
      expect(await refusalOf(connect(change))).toMatch(/^IDEMPOTENCY_/);
      purser.clock.advance(leaseMs);
      expect(await outcomeOf(connect(change))).toBe("ok");
    });

    it("is free at once if its lease is from before the clock stepped back", async () => {
      answer();
      await connect();
      await forget();
      await setLease(new Date(purser.clock.now().getTime() + hour));
      expect(await outcomeOf(connect(later))).toBe("ok");
    });

    it("is refused to a late holder whose key was taken over for another organization", async () => {
      stopRenewals();
      const first = refusalOf(connect());
      await untilBankCalled();
      purser.clock.advance(leaseMs);
      const other = await purser.organization(owner);
      expect(await outcomeOf(connect({ teamId: other }))).toBe("ok");
      answer();
      expect(await first).toBe("IDEMPOTENCY_KEY_REUSED");
      expect(await connections()).toBe(0);
    });
  });
});
