import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let otherTeamId: string;
let otherConnectionId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  connectionId = await connect(teamId, "ada");
  otherTeamId = await purser.organization(owner);
  otherConnectionId = await connect(otherTeamId, "ada");
  await purser.drain();
});
afterAll(() => purser.close());

const banking = () => purser.as(owner).banking;
const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;

async function connect(team: string, consentId: string): Promise<string> {
  return (await banking().connections.connect({ teamId: team, ...bank, consentId })).id;
}

const accountNamed = async (name: string) =>
  (await banking().accounts.list({ teamId, connectionId })).find(({ accountName }) => accountName === name)!;

describe("banking.accounts.list", () => {
  it("lists accounts with exactly the documented fields", async () => {
    expect(await accountNamed("Current Account")).toEqual({
      id: expect.stringMatching(/^bac_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      connectionId,
      accountName: "Current Account",
      accountNumber: expect.stringMatching(/^\d{8}$/),
      sortCode: "207461",
      currency: "GBP",
      type: "CHECKING",
      balance: expect.any(Number),
      availableBalance: expect.any(Number),
      isListed: true,
      connection: { id: connectionId, provider: "sandbox", status: "ACTIVE" },
    });
  });

  it("reports balances from the owner's view: debt is negative, and a card has no number and no available balance", async () => {
    const accounts = await banking().accounts.list({ teamId });
    expect(accounts.map(({ type }) => type).toSorted()).toEqual([
      "CHECKING",
      "CHECKING",
      "CREDIT",
      "INVESTMENT",
      "SAVINGS",
    ]);
    for (const { balance, availableBalance } of accounts) {
      expect(Number.isSafeInteger(balance)).toBe(true);
      expect(availableBalance === null || Number.isSafeInteger(availableBalance)).toBe(true);
    }
    const card = await accountNamed("Rewards Credit Card");
    expect(card).toMatchObject({ accountNumber: null, sortCode: null, availableBalance: null });
    expect(card.balance).toBeLessThan(0);
  });

  it("subtracts pending debits from the available balance only", async () => {
    const { id: accountId, ...before } = await accountNamed("Current Account");
    const { addTransaction } = purser.as(owner).sandbox.banking;
    await addTransaction({ teamId, connectionId, accountId, amount: 700, type: "DEBIT", pending: true });
    await purser.drain();
    const after = await accountNamed("Current Account");
    expect(after.balance).toBe(before.balance);
    expect(after.availableBalance).toBe(before.availableBalance! - 700);
  });

  it("lists newest accounts first, in pages, filtered by connection if given", async () => {
    const second = await connect(teamId, "bob");
    const all = (await banking().accounts.list({ teamId })).map(({ id }) => id);
    expect(all).toEqual(all.toSorted().toReversed());
    expect(all).toHaveLength(10);
    const pages = [
      await banking().accounts.list({ teamId, limit: 4 }),
      await banking().accounts.list({ teamId, limit: 4, after: all[3]! }),
      await banking().accounts.list({ teamId, limit: 4, after: all[7]! }),
    ];
    expect(pages.flat().map(({ id }) => id)).toEqual(all);
    const ofSecond = await banking().accounts.list({ teamId, connectionId: second });
    expect(ofSecond.map(({ id }) => id)).toEqual(all.slice(0, 5));
    // The last received item may belong to another connection, whatever the filters.
    const rest = await banking().accounts.list({ teamId, connectionId, after: all[1]! });
    expect(rest.map(({ id }) => id)).toEqual(all.slice(5));
    await banking().connections.disconnect({ teamId, connectionId: second });
    const [ended] = await banking().accounts.list({ teamId, connectionId: second });
    expect(ended!.connection.status).toBe("DISCONNECTED");
  });

  it("is limited to the connections of this team", async () => {
    const list = (input: object) => refusalOf(banking().accounts.list({ teamId, ...input }));
    expect(await list({ connectionId: otherConnectionId })).toBe("CONNECTION_NOT_FOUND");
    expect(await list({ connectionId: purser.unknownId("bcn") })).toBe("CONNECTION_NOT_FOUND");
    expect(await list({ connectionId: "x" })).toBe("CONNECTION_NOT_FOUND");
    expect(await list({ after: "bac_1" })).toBe("VALIDATION_FAILED");
    expect(await list({ type: "CHECKING" })).toBe("VALIDATION_FAILED");
  });
});

describe("banking.accounts.get", () => {
  it("returns the same fields as the list, plus the newest ten transactions and the total count", async () => {
    const account = await accountNamed("Current Account");
    const { transactionCount, recentTransactions, ...same } = await banking().accounts.get({
      teamId,
      accountId: account.id,
    });
    expect(same).toEqual(account);
    const listed = await banking().transactions.list({ teamId, accountId: account.id });
    expect(transactionCount).toBe(listed.length);
    expect(transactionCount).toBeGreaterThan(10);
    expect(recentTransactions).toHaveLength(10);
    for (const [index, recent] of recentTransactions.entries()) expect(listed[index]).toMatchObject(recent);
    expect(recentTransactions[0]).toEqual({
      id: expect.stringMatching(/^btx_/),
      amount: expect.any(Number),
      currency: "GBP",
      description: expect.any(String),
      transactionDate: expect.any(Date),
      type: expect.stringMatching(/^(CREDIT|DEBIT)$/),
      category: recentTransactions[0]!.category,
    });
  });

  it("returns no transactions for an account without any", async () => {
    const fresh = await purser.organization(owner);
    await connect(fresh, "ada");
    const [account] = await banking().accounts.list({ teamId: fresh });
    const details = await banking().accounts.get({ teamId: fresh, accountId: account!.id });
    expect(details).toMatchObject({ transactionCount: 0, recentTransactions: [] });
  });

  it("excludes pending and removed transactions, also from the count", async () => {
    const { id: accountId } = await accountNamed("Easy Saver");
    const before = await banking().accounts.get({ teamId, accountId });
    const { addTransaction, removeTransaction } = purser.as(owner).sandbox.banking;
    const target = { teamId, connectionId, notify: false };
    const input = { ...target, accountId, amount: 1, type: "CREDIT" } as const;
    await addTransaction({ ...input, pending: true });
    const { bankTransactionId } = await addTransaction(input);
    await banking().connections.sync({ teamId, connectionId });
    const between = await banking().accounts.get({ teamId, accountId });
    expect(between.transactionCount).toBe(before.transactionCount + 1);
    await removeTransaction({ ...target, bankTransactionId });
    await banking().connections.sync({ teamId, connectionId });
    const after = await banking().accounts.get({ teamId, accountId });
    expect(after.transactionCount).toBe(before.transactionCount);
    expect(after.recentTransactions).toEqual(before.recentTransactions);
  });

  it("is limited to the accounts of this team", async () => {
    const [theirs] = await banking().accounts.list({ teamId: otherTeamId });
    for (const accountId of [theirs!.id, purser.unknownId("bac"), "x", ""]) {
      const get = banking().accounts.get({ teamId, accountId });
      expect(await refusalOf(get)).toBe("BANK_ACCOUNT_NOT_FOUND");
    }
  });
});
