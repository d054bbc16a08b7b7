import { day } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  BankError,
  type BankProvider,
  type CursorFeed,
  type UnreadableItem,
  type WindowFeed,
} from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  leaveOut,
  list,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const odd = (fields: Partial<UnreadableItem> = {}): UnreadableItem => ({
  kind: "transaction",
  accountId: "current",
  externalId: "odd",
  problem: "no currency",
  ...fields,
});
const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
const oddSaver = odd({ kind: "account", accountId: "saver", externalId: null });

const changesWith =
  (page: Parameters<typeof log>[0][number], ...items: UnreadableItem[]): CursorFeed["changes"] =>
  async (access, cursor, signal, report) => {
    leaveOut(items, report);
    return log([page]).changes(access, cursor, signal);
  };
const listWith = (
  transactions: Parameters<typeof list>[0],
  ...items: UnreadableItem[]
): WindowFeed["transactions"] =>
  async function* (access, accountId, from, signal, report) {
    leaveOut(items, report);
    yield* list(transactions).transactions(access, accountId, from, signal);
  };
const accountsWith =
  (accounts: (typeof saver)[], ...items: UnreadableItem[]): BankProvider["accounts"] =>
  async (_access, report) => {
    leaveOut(items, report);
    return accounts;
  };

const externalIds = async () => (await team.rows()).map(({ externalId }) => externalId);
const quarantined = async () =>
  (await team.quarantine()).map(({ externalId, reason }) => [externalId, reason]);

describe("an item that cannot be read", () => {
  it("is quarantined while the rest of the bank is read, and released once it can be read", async () => {
    await team.begin();
    await team.sync();
    team.script.changes = changesWith({ added: [payment()] }, odd());
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t1"]);
    expect(await quarantined()).toEqual([["odd", "UNREADABLE"]]);
    team.script.changes = changesWith({ modified: [payment({ externalId: "odd" })] });
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t1", "odd"]);
    expect(await quarantined()).toEqual([]);
  });

  it("leaves the row of a listed transaction as it is", async () => {
    await team.begin({ feed: "window", ...list([payment(), payment({ externalId: "odd" })]) });
    await team.sync();
    const before = await team.rows();
    team.script.transactions = listWith([payment()], odd());
    expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toEqual(before);
    expect(await quarantined()).toEqual([["odd", "UNREADABLE"]]);
  });

  it("leaves an account as it is, and its transactions are still read", async () => {
    await team.begin({ accounts: accountsWith([bankAccount(), saver]) });
    await team.sync();
    const before = await team.accounts();
    team.script.accounts = accountsWith([bankAccount()], oddSaver);
    team.script.changes = changesWith({ added: [payment(), payment({ accountId: "saver" })] });
    expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toHaveLength(2);
    expect((await team.accounts()).map(({ id, balance }) => [id, balance])).toEqual(
      before.map(({ id, balance }) => [id, balance]),
    );
    expect(await quarantined()).toEqual([["saver", "UNREADABLE"]]);
    team.script.accounts = accountsWith([bankAccount(), saver]);
    expect(await team.sync()).toBe("ok");
    expect(await quarantined()).toEqual([]);
  });

  it("leaves an account as it is at a bank that is read by days, and its transactions are still read", async () => {
    const before = [payment(), payment({ accountId: "saver", amount: 900 })];
    const accounts = accountsWith([bankAccount(), saver]);
    await team.begin({ feed: "window", ...list(before), accounts });
    await team.sync();
    team.script.accounts = accountsWith([bankAccount()], oddSaver);
    const later = payment({ accountId: "saver", externalId: "t2", amount: 901 });
    Object.assign(team.script, list([...before, later]));
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ amount }) => amount)).toEqual([500, 900, 901]);
    expect(await quarantined()).toEqual([["saver", "UNREADABLE"]]);
  });

  it("makes a new account wait, and then brings its whole history", async () => {
    await team.begin({ accounts: accountsWith([bankAccount()], oddSaver) });
    const added = [payment(), payment({ accountId: "saver", amount: 900 })];
    team.script.changes = changesWith({ added });
    expect(await team.sync()).toBe("ok");
    expect(await team.accounts()).toHaveLength(1);
    expect(await externalIds()).toEqual(["t1"]);
    team.script.accounts = accountsWith([bankAccount(), saver]);
    const feed = log([{ added }]);
    team.script.changes = feed.changes;
    expect(await team.sync()).toBe("ok");
    expect(feed.requests).toEqual([null]);
    expect(await team.rows()).toMatchObject([{ amount: 500 }, { amount: 900 }]);
    expect(await quarantined()).toEqual([]);
  });
});

describe("an account that cannot be read", () => {
  it("keeps no bank from being connected, and is shown", async () => {
    await team.begin({ accounts: accountsWith([bankAccount()], oddSaver) });
    expect(await team.accounts()).toHaveLength(1);
    await team.purser.drain();
    expect(await quarantined()).toEqual([["saver", "UNREADABLE"]]);
  });

  it("stands for its transactions that cannot be read either", async () => {
    await team.begin({ accounts: accountsWith([bankAccount()], oddSaver) });
    const oddPayments = [odd({ accountId: "saver", externalId: "s1" }), odd({ accountId: "saver" })];
    team.script.changes = changesWith({ added: [payment()] }, ...oddPayments, odd({ externalId: "c1" }));
    expect(await team.sync()).toBe("ok");
    expect(Object.fromEntries(await quarantined())).toEqual({ c1: "UNREADABLE", saver: "UNREADABLE" });
  });

  it("keeps no consent from being renewed, and continues with its history once it can be read", async () => {
    await team.begin({ accounts: accountsWith([bankAccount(), saver]) });
    await team.sync();
    const before = await team.accounts();
    const under = (accounts: (typeof saver)[]) =>
      accounts.map((one) => ({ ...one, externalId: `new ${one.externalId}` }));
    const oddAgain = { ...oddSaver, accountId: "new saver" };
    team.script.accounts = accountsWith(under([bankAccount()]), oddAgain);
    team.purser.clock.advance(1000);
    await team.renew("second");
    await team.purser.drain();
    expect(await quarantined()).toEqual([["new saver", "UNREADABLE"]]);
    team.script.accounts = accountsWith(under([bankAccount(), saver]));
    expect(await team.sync()).toBe("ok");
    expect((await team.accounts()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await quarantined()).toEqual([]);
  });
});

describe("a transaction of an account that the bank does not list", () => {
  it("is quarantined by its account, and read once the bank lists the account", async () => {
    await team.begin();
    await team.sync();
    const added = [payment(), payment({ accountId: "saver", externalId: "s1", amount: 900 })];
    team.script.changes = changesWith({ added });
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t1"]);
    expect(await quarantined()).toEqual([["saver", "UNKNOWN_ACCOUNT"]]);
    team.script.accounts = accountsWith([bankAccount(), saver]);
    team.script.changes = changesWith({ added });
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t1", "s1"]);
    expect(await quarantined()).toEqual([]);
  });

  it("is read once the bank lists an account again that it listed before", async () => {
    await team.begin({ accounts: accountsWith([bankAccount(), saver]) });
    await team.sync();
    const before = await team.accounts();
    const added = [payment(), payment({ accountId: "saver", externalId: "s1", amount: 900 })];
    team.script.accounts = accountsWith([bankAccount()]);
    team.script.changes = changesWith({ added });
    expect(await team.sync()).toBe("ok");
    expect(await quarantined()).toEqual([["saver", "UNKNOWN_ACCOUNT"]]);
    team.script.accounts = accountsWith([bankAccount(), saver]);
    const feed = log([{ added }]);
    team.script.changes = feed.changes;
    expect(await team.sync()).toBe("ok");
    expect(feed.requests).toEqual([null]);
    expect(await externalIds()).toEqual(["t1", "s1"]);
    expect((await team.accounts()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await quarantined()).toEqual([]);
  });

  it("is read at a bank that is read by days, however long the bank did not list the account", async () => {
    const accounts = accountsWith([bankAccount(), saver]);
    const first = [payment(), payment({ accountId: "saver", externalId: "s1", amount: 900 })];
    await team.begin({ feed: "window", accounts, ...list(first) });
    await team.sync();
    const before = await team.rows();
    const later = payment({ accountId: "saver", externalId: "s2", amount: 901, date: "2026-03-10" });
    Object.assign(team.script, list([...first, later]), { accounts: accountsWith([bankAccount()]) });
    team.purser.clock.set("2026-04-10T09:00:00Z");
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    team.script.accounts = accounts;
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ amount }) => amount)).toEqual([500, 900, 901]);
    expect((await team.rows()).slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });
});

describe("an account whose transactions the bank refuses", () => {
  const held = payment({ externalId: "p1", status: "PENDING", accountId: "saver", amount: 70 });
  const saved = payment({ externalId: "s1", accountId: "saver" });

  /** Lists these transactions, except those of the savings account. */
  function refuseSaver(transactions: Parameters<typeof list>[0]): void {
    const listed = list(transactions);
    team.script.transactions = async function* (access, accountId, from, signal) {
      if (accountId === "saver") throw new BankError("account_refused", "The bank refuses the account");
      yield* listed.transactions(access, accountId, from, signal);
    };
  }

  it("keeps its rows, while the others are read, and is read from its beginning once the bank allows it", async () => {
    await team.begin({
      feed: "window",
      accounts: async () => [bankAccount(), saver],
      ...list([payment(), saved, held]),
    });
    expect(await team.sync()).toBe("ok");
    refuseSaver([payment(), payment({ externalId: "t2" })]);
    expect(await team.sync()).toBe("ok");
    expect((await externalIds()).toSorted()).toEqual(["p1", "s1", "t1", "t2"]);
    expect(await quarantined()).toEqual([["saver", "UNREADABLE"]]);
    expect(await team.accounts()).toMatchObject([{ isBalanceCurrent: true }, { isBalanceCurrent: false }]);

    team.purser.clock.advance(60 * day);
    expect(await team.sync()).toBe("ok");
    const missed = payment({ externalId: "s2", accountId: "saver", date: "2026-03-10" });
    const { transactions, requests } = list([saved, missed]);
    team.script.transactions = transactions;
    expect(await team.sync()).toBe("ok");
    expect(requests.find(([accountId]) => accountId === "saver")).toEqual(["saver", "2024-05-01"]);
    expect(await externalIds()).toEqual(expect.arrayContaining(["s1", "s2"]));
    expect(await quarantined()).toEqual([]);
  });

  it("is a new account without transactions until then", async () => {
    await team.begin({ feed: "window", accounts: async () => [bankAccount(), saver] });
    refuseSaver([]);
    expect(await team.sync()).toBe("ok");
    expect([await externalIds(), await quarantined()]).toEqual([[], [["saver", "UNREADABLE"]]]);
    Object.assign(team.script, list([saved]));
    expect(await team.sync()).toBe("ok");
    expect([await externalIds(), await quarantined()]).toEqual([["s1"], []]);
  });

  it("fails the sync if the bank refuses those of every account, and brings what was missed later", async () => {
    await team.begin({ feed: "window", accounts: async () => [saver], ...list([saved]) });
    expect(await team.sync()).toBe("ok");
    refuseSaver([]);
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    const { teamId } = team;
    expect(await team.purser.as(team.owner).banking.connections.health({ teamId })).toMatchObject([
      { status: "failing", reason: "PROVIDER_ERROR", nextSyncAt: expect.any(Date) },
    ]);
    expect([await externalIds(), await quarantined()]).toEqual([["s1"], []]);
    team.purser.clock.advance(60 * day);
    const missed = payment({ externalId: "s2", accountId: "saver", date: "2026-03-10" });
    Object.assign(team.script, list([saved, missed]));
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["s1", "s2"]);
  });
});
