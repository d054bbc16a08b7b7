import { Problem } from "@purser/core";
import { day, hour, minute } from "@purser/core/testing";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { BankError, type BankProvider, type Banks } from "../ports.ts";
import { gate } from "../testing/scripted-bank.ts";

let purser: TestPurser;
let owner: Person;
let member: Person;
let teamId: string;
let connectionId: string;
let accountId: string;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};
let isConfigured = true;

beforeAll(async () => {
  const at = async (name: "sandbox" | "plaid" | "yapily") => {
    if (!isConfigured) throw new Problem("PROVIDER_NOT_CONFIGURED");
    const bank = await configuredBanks(purser.platform).at(name);
    return { ...bank, ...replaced };
  };
  const banks: Banks = {
    get configured() {
      return isConfigured ? (["sandbox"] as const) : [];
    },
    at,
  };
  purser = await createTestPurser({ banks });
  [owner, member] = [await purser.person(), await purser.person()];
  teamId = await purser.organization(owner, { members: [member] });
  await connect("ada");
  await purser.drain();
});
afterAll(() => purser.close());
afterEach(() => {
  replaced = {};
});

const banking = () => purser.as(owner).banking;
const controls = () => purser.as(owner).sandbox.banking;
const target = () => ({ teamId, connectionId });

async function connect(consentId: string): Promise<void> {
  const input = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId } as const;
  ({ id: connectionId } = await banking().connections.connect(input));
  const accounts = await banking().accounts.list({ teamId, connectionId });
  accountId = accounts.find(({ type }) => type === "CHECKING")!.id;
}

const sync = () => banking().connections.sync(target());
const bill = (description: string) =>
  controls().addTransaction({
    ...target(),
    accountId,
    amount: 1250,
    type: "DEBIT",
    description,
    notify: false,
  });

async function seen(description: string) {
  const transactions = await banking().transactions.list({ teamId });
  return transactions.filter((transaction) => transaction.description === description);
}

/** Everything that a sync may change. */
async function ledger() {
  const accounts = await banking().accounts.list(target());
  return { accounts, transactions: await banking().transactions.list(target()) };
}

describe("banking.connections.sync", () => {
  it("responds with exactly the documented fields", async () => {
    const [before] = await banking().connections.list({ teamId });
    const { expiresAt } = before!.consents[0]!;
    purser.clock.advance(minute);
    expect(await sync()).toEqual({
      id: connectionId,
      status: "ACTIVE",
      updatedAt: purser.clock.now(),
      consents: [
        { id: "ada", status: "AUTHORIZED", scopes: ["accounts", "balances", "transactions"], expiresAt },
      ],
    });
  });

  it("applies additions, changes and removals at the bank, and updates the balance", async () => {
    const before = await banking().accounts.get({ teamId, accountId });
    const { bankTransactionId } = await bill("Lunch");
    await sync();
    const [lunch] = await seen("Lunch");
    expect(lunch).toMatchObject({ amount: 1250, type: "DEBIT", accountId });
    const after = await banking().accounts.get({ teamId, accountId });
    expect(after.balance).toBe(before.balance - 1250);
    expect(after.transactionCount).toBe(before.transactionCount + 1);
    await controls().changeTransaction({
      ...target(),
      bankTransactionId,
      description: "Team lunch",
      notify: false,
    });
    await sync();
    expect(await seen("Team lunch")).toEqual([{ ...lunch, description: "Team lunch" }]);
    await controls().removeTransaction({ ...target(), bankTransactionId, notify: false });
    await sync();
    expect(await seen("Team lunch")).toEqual([]);
    expect(await banking().accounts.get({ teamId, accountId })).toEqual(before);
    const runs = await banking().syncs.list({ teamId, limit: 3 });
    expect(runs.map(({ added, modified, removed }) => [added, modified, removed])).toEqual([
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]);
  });

  it("changes nothing if the bank reports no changes", async () => {
    const before = await ledger();
    await sync();
    expect(await ledger()).toEqual(before);
    const [run] = await banking().syncs.list({ teamId, limit: 1 });
    expect(run).toMatchObject({ trigger: "MANUAL", status: "SUCCEEDED", added: 0, modified: 0, removed: 0 });
  });

  it("runs once for concurrent requests, which share the result", async () => {
    await bill("Once");
    const before = (await banking().syncs.list({ teamId })).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => sync()));
    expect(answers.every(({ status }) => status === "ACTIVE")).toBe(true);
    expect(await seen("Once")).toHaveLength(1);
    const runs = await banking().syncs.list({ teamId });
    expect(runs.every(({ status }) => status === "SUCCEEDED")).toBe(true);
    expect(runs.length - before).toBeLessThanOrEqual(10);
  });

  it("stops blocking its request on shutdown, and continues in the background", async () => {
    await bill("Continues");
    const { platform } = purser;
    const before = platform.shutdownSignal;
    const shutdown = new AbortController();
    platform.shutdownSignal = shutdown.signal;
    onTestFinished(() => void (platform.shutdownSignal = before));
    const released = Promise.withResolvers<void>();
    const sandbox = await configuredBanks(platform).at("sandbox");
    replaced = {
      accounts: async (access) => {
        shutdown.abort();
        await released.promise;
        return sandbox.accounts(access);
      },
    };
    expect(await sync()).toMatchObject({ id: connectionId, status: "ACTIVE" });
    expect(await seen("Continues")).toEqual([]);
    released.resolve();
    await expect.poll(() => seen("Continues")).toHaveLength(1);
  });

  it("stops blocking its request when the client leaves, and continues in the background", async () => {
    await bill("Unwatched");
    const { pass, open } = gate();
    onTestFinished(open);
    const client = new AbortController();
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced = {
      accounts: async (access) => {
        client.abort();
        await pass();
        return sandbox.accounts(access);
      },
    };
    const { connections } = purser.as(owner, { signal: client.signal }).banking;
    const start = performance.now();
    expect(await connections.sync(target())).toMatchObject({ id: connectionId, status: "ACTIVE" });
    // Any request stops waiting after 25 seconds.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(await seen("Unwatched")).toEqual([]);
    open();
    await expect.poll(() => seen("Unwatched")).toHaveLength(1);
  });

  it("is for members, and runs once per idempotency key", async () => {
    const keyed = purser.as(member, { idempotencyKey: "sync" }).banking.connections;
    const first = await keyed.sync(target());
    purser.clock.advance(minute);
    const before = (await banking().syncs.list({ teamId })).length;
    expect(await keyed.sync(target())).toEqual(first);
    expect(await banking().syncs.list({ teamId })).toHaveLength(before);
    const stranger = await purser.person();
    expect(await refusalOf(purser.as(stranger).banking.connections.sync(target()))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
  });

  it("is limited to the connections of this team", async () => {
    const unknown = { teamId, connectionId: purser.unknownId("bcn") };
    expect(await refusalOf(banking().connections.sync(unknown))).toBe("CONNECTION_NOT_FOUND");
    const other = { teamId: await purser.organization(owner), connectionId };
    expect(await refusalOf(banking().connections.sync(other))).toBe("CONNECTION_NOT_FOUND");
  });

  it("discards its result if the connection is disconnected meanwhile", async () => {
    await connect("bob");
    await sync();
    await bill("Too late");
    const before = await banking().transactions.list({ teamId });
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    replaced = {
      accounts: async (access) => {
        const accounts = await sandbox.accounts(access);
        await banking().connections.disconnect(target());
        return accounts;
      },
    };
    expect(await refusalOf(sync())).toBe("CONNECTION_DISCONNECTED");
    expect(await banking().transactions.list({ teamId })).toEqual(before);
    expect(await banking().syncs.list({ teamId, limit: 1 })).toMatchObject([
      { status: "FAILED", errorCode: "CONNECTION_DISCONNECTED" },
    ]);
    replaced = {};
    await connect("ada");
  });
});

describe("a bank that fails", () => {
  it.each([
    ["outage", "PROVIDER_ERROR"],
    ["accounts_outage", "PROVIDER_ERROR"],
    ["rate_limited", "PROVIDER_ERROR"],
    ["not_ready", "UNAVAILABLE"],
  ] as const)("with %s changes nothing, and the error reports it", async (fault, code) => {
    const description = `After ${fault}`;
    await bill(description);
    const before = await ledger();
    await controls().setFault({ ...target(), fault, times: 1 });
    purser.clock.advance(minute);
    expect(await refusalOf(sync())).toBe(code);
    expect(await ledger()).toEqual(before);
    expect(await banking().syncs.list({ teamId, limit: 1 })).toMatchObject([
      { status: "FAILED", errorCode: code, added: 0, modified: 0, removed: 0 },
    ]);
    await sync();
    expect(await seen(description)).toHaveLength(1);
  });

  it.each([
    ["outage", "PROVIDER_ERROR", undefined],
    ["not_ready", "UNAVAILABLE", 30],
  ] as const)("with %s says that and when a retry may succeed", async (fault, code, retryAfterSeconds) => {
    await controls().setFault({ ...target(), fault, times: 1 });
    const problem = problemOf(await sync().catch((error: unknown) => error));
    expect(problem).toMatchObject({ code, retryable: true });
    expect(problem.retryAfterSeconds).toBe(retryAfterSeconds);
    await sync();
  });

  it("passes on the pause that a provider names", async () => {
    replaced.accounts = () =>
      Promise.reject(new BankError("rate_limited", "Slow down", { retryAfterSeconds: 90 }));
    const problem = problemOf(await sync().catch((error: unknown) => error));
    expect(problem).toMatchObject({ code: "PROVIDER_ERROR", retryable: true, retryAfterSeconds: 90 });
  });

  it("is reported as retryable to a caller whose sync another call runs", async () => {
    const { arrived, pass, open } = gate();
    replaced.accounts = async () => {
      await pass();
      throw new BankError("outage", "It is down");
    };
    const first = sync().catch((error: unknown) => error);
    await arrived;
    const second = sync().catch((error: unknown) => error);
    open();
    for (const error of [await first, await second])
      expect(problemOf(error)).toMatchObject({ code: "PROVIDER_ERROR", retryable: true });
  });

  it("is retried automatically, without a mail", async () => {
    await bill("Unasked");
    await controls().setFault({ ...target(), fault: "outage", times: 1 });
    await refusalOf(sync());
    // The earlier syncs of this test had no user and used up the day's reads.
    purser.clock.advance(day);
    purser.mails.length = 0;
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
    expect(await seen("Unasked")).toHaveLength(1);
    expect(purser.mails).toEqual([]);
  });

  it("releases the idempotency key, so a repeat tries again", async () => {
    await controls().setFault({ ...target(), fault: "outage", times: 1 });
    const keyed = purser.as(owner, { idempotencyKey: "retry" }).banking.connections;
    expect(await refusalOf(keyed.sync(target()))).toBe("PROVIDER_ERROR");
    expect(await keyed.sync(target())).toMatchObject({ status: "ACTIVE" });
  });
});

describe("a provider that is not configured any more", () => {
  it("is not called, which the sync's record shows, and does not affect other providers", async () => {
    isConfigured = false;
    expect(await refusalOf(sync())).toBe("PROVIDER_NOT_CONFIGURED");
    expect(await banking().syncs.list({ ...target(), limit: 1 })).toMatchObject([
      { status: "FAILED", errorCode: "PROVIDER_NOT_CONFIGURED" },
    ]);
    purser.clock.advance(hour);
    await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
    isConfigured = true;
    expect(await sync()).toMatchObject({ status: "ACTIVE" });
  });
});

describe("banking.syncs.list", () => {
  it("shows a sync with a trigger of a later version", async () => {
    await purser.db.execute(sql`ALTER TABLE bank_syncs DROP CONSTRAINT bank_syncs_trigger`);
    await purser.db.execute(sql`UPDATE bank_syncs SET trigger = 'ANOTHER_TRIGGER'`);
    const runs = await banking().syncs.list({ ...target(), limit: 1 });
    expect(runs).toMatchObject([{ trigger: "ANOTHER_TRIGGER" }]);
  });
});
