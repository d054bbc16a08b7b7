import { day } from "@purser/core/testing";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
/** The account that the tests write to. */
let accountId: string;
let otherTeamId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  connectionId = await connect(teamId);
  const accounts = await banking().accounts.list({ teamId });
  accountId = accounts.find(({ accountName }) => accountName === "Current Account")!.id;
  otherTeamId = await purser.organization(owner);
  await connect(otherTeamId);
  for (const [description, date] of [
    ["first", "2026-01-01"],
    ["twin 1", "2026-01-05"],
    ["twin 2", "2026-01-05"],
    ["twin 3", "2026-01-05"],
    ["last", "2026-01-10"],
  ] as const) {
    await add(description, date);
  }
  await purser.drain();
});
afterAll(() => purser.close());

const banking = () => purser.as(owner).banking;

async function connect(team: string): Promise<string> {
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "ada" } as const;
  return (await banking().connections.connect({ teamId: team, ...bank })).id;
}

async function add(description: string, date: string, more: object = {}): Promise<string> {
  const { bankTransactionId } = await purser.as(owner).sandbox.banking.addTransaction({
    teamId,
    connectionId,
    accountId,
    amount: 1250,
    type: "DEBIT",
    description,
    notify: false,
    category: "TEST",
    date: at(date),
    ...more,
  });
  return bankTransactionId;
}

const sync = () => banking().connections.sync({ teamId, connectionId });
const at = (text: string) => new Date(text.includes("T") ? text : `${text}T00:00:00.000Z`);
const list = (input: object = {}) => banking().transactions.list({ teamId, ...input });

/** The transactions that were added here and match this filter. */
async function added(input: object = {}): Promise<string[]> {
  return (await list({ category: "TEST", ...input })).map(({ description }) => description);
}

describe("banking.transactions.list", () => {
  it("lists transactions with exactly the documented fields, on the bank's day at 00:00 UTC", async () => {
    const [newest] = await list({ category: "TEST", limit: 1 });
    const account = (await banking().accounts.list({ teamId })).find(({ id }) => id === accountId)!;
    const { accountName, accountNumber } = account;
    expect(newest).toEqual({
      id: expect.stringMatching(/^btx_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      accountId,
      amount: 1250,
      currency: "GBP",
      description: "last",
      status: "POSTED",
      merchantName: null,
      note: null,
      type: "DEBIT",
      category: "TEST",
      transactionDate: new Date("2026-01-10T00:00:00.000Z"),
      account: {
        id: accountId,
        accountName,
        accountNumber,
        connection: {
          id: connectionId,
          provider: "sandbox",
        },
      },
    });
  });

  it("lists the newest first, by day and then by id, with amounts without a sign", async () => {
    const all = await list();
    expect(all.length).toBeGreaterThan(20);
    const keys = all.map(({ transactionDate, id }) => `${transactionDate.toISOString()} ${id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
    for (const { amount, transactionDate, type, currency } of all) {
      expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true);
      expect(transactionDate.getTime() % day).toBe(0);
      expect(["CREDIT", "DEBIT"]).toContain(type);
      expect(currency).toMatch(/^[A-Z]{3}$/);
    }
    expect(new Set(all.map(({ account }) => account.id)).size).toBeGreaterThan(2);
  });

  it.each([
    [{ from: at("2026-01-05") }, ["last", "twin 3", "twin 2", "twin 1"]],
    [{ from: at("2026-01-05T00:00:00.001Z") }, ["last"]],
    [{ to: at("2026-01-05") }, ["twin 3", "twin 2", "twin 1", "first"]],
    [{ to: at("2026-01-04T23:59:59.999Z") }, ["first"]],
    [{ from: at("2026-01-01"), to: at("2026-01-01") }, ["first"]],
    [{ from: at("2026-01-05T01:00:00Z"), to: at("2026-01-05T23:00:00Z") }, []],
    [{ from: at("0001-01-01") }, ["last", "twin 3", "twin 2", "twin 1", "first"]],
    [{ to: at("9999-12-31T23:59:59.999Z") }, ["last", "twin 3", "twin 2", "twin 1", "first"]],
    [{ from: at("9999-12-31T23:59:59.999Z") }, []],
    [{ to: at("0001-01-01") }, []],
    [{ type: "DEBIT", from: at("2026-01-06") }, ["last"]],
    [{ type: "CREDIT" }, []],
    [{ category: "test" }, []],
    [{ category: "" }, []],
  ])("accepts %j, with both ends of a range included", async (input, expected) => {
    expect(await added(input)).toEqual(expected);
  });

  it("filters by direction, category, account and connection, separately and combined", async () => {
    const all = await list();
    const category = all.find((one) => one.category !== null && one.category !== "TEST")!.category!;
    for (const [input, fits] of [
      [{ type: "CREDIT" }, (one) => one.type === "CREDIT"],
      [{ type: "DEBIT" }, (one) => one.type === "DEBIT"],
      [{ category }, (one) => one.category === category],
      [{ accountId }, (one) => one.accountId === accountId],
      [{ connectionId }, () => true],
      [
        { connectionId, accountId, type: "DEBIT" },
        (one) => one.accountId === accountId && one.type === "DEBIT",
      ],
      [{ connectionId, category, type: "DEBIT" }, (one) => one.category === category && one.type === "DEBIT"],
    ] satisfies [object, (one: (typeof all)[number]) => boolean][]) {
      expect(await list(input)).toEqual(all.filter((one) => fits(one)));
    }
  });

  it.each([
    [{ from: at("2026-01-02"), to: at("2026-01-01") }, "VALIDATION_FAILED"],
    [{ from: new Date(Number.NaN) }, "VALIDATION_FAILED"],
    [{ from: "2026-01-01" }, "VALIDATION_FAILED"],
    [{ type: "debit" }, "VALIDATION_FAILED"],
    [{ category: "c".repeat(256) }, "VALIDATION_FAILED"],
    [{ category: "a\0" }, "VALIDATION_FAILED"],
    [{ limit: 0 }, "VALIDATION_FAILED"],
    [{ limit: 1001 }, "VALIDATION_FAILED"],
    [{ status: "REMOVED" }, "VALIDATION_FAILED"],
    [{ minAmount: -1 }, "VALIDATION_FAILED"],
    [{ maxAmount: 1.5 }, "VALIDATION_FAILED"],
    [{ minAmount: 2, maxAmount: 1 }, "VALIDATION_FAILED"],
    [{ query: "" }, "VALIDATION_FAILED"],
    [{ query: " -*' " }, "VALIDATION_FAILED"],
    [{ query: "q".repeat(201) }, "VALIDATION_FAILED"],
    [{ after: "btx_1" }, "VALIDATION_FAILED"],
    [{ accountId: "x" }, "BANK_ACCOUNT_NOT_FOUND"],
    [{ connectionId: "x" }, "CONNECTION_NOT_FOUND"],
  ])("refuses %j", async (input, code) => {
    expect(await refusalOf(list(input))).toBe(code);
  });

  it("is limited to the accounts and connections of this team", async () => {
    const [account] = await banking().accounts.list({ teamId: otherTeamId });
    const theirs = { accountId: account!.id, connectionId: account!.connectionId };
    expect(await refusalOf(list({ accountId: theirs.accountId }))).toBe("BANK_ACCOUNT_NOT_FOUND");
    expect(await refusalOf(list({ connectionId: theirs.connectionId }))).toBe("CONNECTION_NOT_FOUND");
    expect(await refusalOf(list(theirs))).toBe("BANK_ACCOUNT_NOT_FOUND");
    expect(await refusalOf(list({ ...theirs, accountId }))).toBe("CONNECTION_NOT_FOUND");
    expect(await refusalOf(list({ ...theirs, connectionId }))).toBe("BANK_ACCOUNT_NOT_FOUND");
  });

  it("returns nothing if the account belongs to another connection than the given one", async () => {
    const other = await banking().connections.connect({
      teamId,
      provider: "sandbox",
      providerId: "sprout-bank",
      consentId: "bob",
    });
    expect(await list({ accountId, connectionId: other.id })).toEqual([]);
    expect(await list({ connectionId: other.id })).toEqual([]);
    await banking().connections.disconnect({ teamId, connectionId: other.id });
  });
});

describe("paging through transactions", () => {
  async function inPages(limit: number, input: object) {
    const items = [];
    for (;;) {
      const after = items.at(-1)?.id;
      const page = await list({ ...input, limit, ...(after !== undefined && { after }) });
      items.push(...page);
      if (page.length < limit) return items;
    }
  }

  it.each([
    [30, {}],
    [30, { type: "DEBIT" }],
    [1, { category: "TEST" }],
    [2, { category: "TEST", from: at("2026-01-05") }],
  ])("returns each once, even within one day: %i at a time, filtered by %j", async (limit, filter) => {
    for (const one of [filter, { ...filter, accountId }, { ...filter, connectionId }]) {
      expect(await inPages(limit, one)).toEqual(await list(one));
    }
  });

  it("continues after any item of the list, whatever the filters", async () => {
    const [, , middle] = await list({ category: "TEST" });
    expect(middle!.description).toBe("twin 2");
    expect(await added({ after: middle!.id })).toEqual(["twin 1", "first"]);
    expect(await added({ after: middle!.id, type: "CREDIT" })).toEqual([]);
    const salary = (await list({ type: "CREDIT" })).find(
      ({ transactionDate }) => transactionDate > at("2026-02-01"),
    );
    expect(await added({ after: salary!.id })).toHaveLength(5);
  });

  it("continues after an item that was removed meanwhile", async () => {
    const bankTransactionId = await add("gone", "2026-01-05");
    await sync();
    const [, { id } = { id: "" }] = await list({ category: "TEST" });
    const { removeTransaction } = purser.as(owner).sandbox.banking;
    await removeTransaction({ teamId, connectionId, bankTransactionId, notify: false });
    await sync();
    expect(await added()).not.toContain("gone");
    expect(await added({ after: id })).toEqual(["twin 3", "twin 2", "twin 1", "first"]);
  });

  it("rejects an unknown item, or another team's", async () => {
    const [theirs] = await banking().transactions.list({ teamId: otherTeamId });
    for (const after of [purser.unknownId("btx"), theirs!.id]) {
      expect(await refusalOf(list({ after }))).toBe("VALIDATION_FAILED");
    }
  });
});

describe("a pending transaction", () => {
  it("is listed only once posted, with the bank's final description, and keeps its id when it changes", async () => {
    const { postTransaction, changeTransaction } = purser.as(owner).sandbox.banking;
    const position = { teamId, connectionId, notify: false };
    const pending = await add("Taxi", "2026-02-10", { pending: true, category: "RIDE" });
    await sync();
    expect(await list({ category: "RIDE" })).toEqual([]);
    const [hold] = await list({ category: "RIDE", status: "PENDING" });
    expect(hold).toMatchObject({ status: "PENDING", description: "Taxi" });
    expect(await list({ category: "RIDE", status: "ALL" })).toEqual([hold]);
    const date = at("2026-02-12");
    const posted = await postTransaction({ ...position, bankTransactionId: pending, amount: 990, date });
    await sync();
    const [taxi] = await list({ category: "RIDE" });
    expect(taxi).toMatchObject({ id: hold!.id, status: "POSTED", amount: 990, transactionDate: date });
    expect(await list({ category: "RIDE", status: "PENDING" })).toEqual([]);
    await changeTransaction({ ...position, ...posted, category: "CAB" });
    await sync();
    expect(await list({ category: "CAB" })).toEqual([{ ...taxi, category: "CAB" }]);
    expect(await list({ category: "RIDE" })).toEqual([]);
  });

  it("is never listed if the bank drops it", async () => {
    const { removeTransaction } = purser.as(owner).sandbox.banking;
    const bankTransactionId = await add("Hold", "2026-02-10", { pending: true, category: "HOLD" });
    await sync();
    await removeTransaction({ teamId, connectionId, bankTransactionId, notify: false });
    await sync();
    expect(await list({ category: "HOLD" })).toEqual([]);
  });
});
