import { bankConnections } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  list,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(async () => {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  await team.begin({ feed: "window" });
});

/** One of several transactions with the same id, amount and description. */
const order = (date: string, overrides: Partial<TransactionData> = {}) =>
  payment({ externalId: "order", date, ...overrides });

/** Each row by its day. */
const idsByDay = async () =>
  (await team.rows()).map(({ transactionDate, id }) => [transactionDate, id] as const);

/** The same rows in one order, for comparison. */
const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Lets the next sync read the whole history again, as after a new consent. */
async function forgetCursor(): Promise<void> {
  const theConnection = eq(bankConnections.id, team.connectionId);
  await team.purser.db.update(bankConnections).set({ cursor: null }).where(theConnection);
}

const contents = async () =>
  (await team.rows()).map(({ transactionDate, amount, status }) => [transactionDate, amount, status]);

/** Syncs a bank that lists these pages, and expects each of their transactions, and these of earlier days, once. */
async function expectListed(pages: TransactionData[][], earlier: TransactionData[] = []): Promise<void> {
  team.script.transactions = async function* pagesOf() {
    yield* pages;
  };
  expect(await team.sync()).toBe("ok");
  const expected = [...earlier, ...pages.flat()].map(({ date, amount, status }) => [date, amount, status]);
  expect(sorted(await contents())).toEqual(sorted(expected));
  expect(await team.quarantine()).toEqual([]);
}

describe("an id that a bank uses for several transactions", () => {
  const several: [string, TransactionData[]][] = [
    ["on two days", [order("2026-02-01"), order("2026-03-01")]],
    ["on one day", [order("2026-03-01"), order("2026-03-01")]],
    ["with two amounts", [order("2026-03-01"), order("2026-03-01", { amount: 900 })]],
    ["with two states", [order("2026-03-01", { status: "PENDING" }), order("2026-03-01")]],
  ];

  it.each(several)("hides none of them %s, in a first sync and in later ones", async (_title, listed) => {
    await expectListed([listed]);
    const before = await idsByDay();
    await expectListed([listed]);
    expect(await idsByDay()).toEqual(before);
    await expectListed([listed.toReversed()]);
    expect(sorted(await idsByDay())).toEqual(sorted(before));
  });

  it.each(several)("hides none of them %s, on two pages", async (_title, [one, other]) => {
    await expectListed([[one!], [other!]]);
    await expectListed([[other!], [one!]]);
  });

  it("counts each once if the bank lists their account twice", async () => {
    team.script.accounts = async () => [bankAccount(), bankAccount()];
    await expectListed([[order("2026-02-01"), order("2026-03-01")]]);
  });

  it("hides none of them after one was known", async () => {
    const [first, second] = [order("2026-02-20"), order("2026-03-01")];
    await expectListed([[first]]);
    const before = await idsByDay();
    await expectListed([[second, first]]);
    expect(await idsByDay()).toEqual([before[0], ["2026-03-01", expect.any(String)]]);
  });

  const orders: [string, string[], string[]][] = [
    [
      "a monthly order, whose earlier days are not read",
      ["2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"],
      ["2026-03-02", "2026-03-20", "2026-04-02", "2026-04-20", "2026-05-02", "2026-05-20", "2026-06-02"],
    ],
    [
      "a weekly order, while its first days are no longer read",
      ["2026-02-09", "2026-02-16", "2026-02-23", "2026-03-02", "2026-03-09"],
      ["2026-02-17", "2026-02-24", "2026-03-02", "2026-03-09", "2026-03-10"],
    ],
  ];

  it.each(orders)("follows each of %s", async (_title, days, syncedOn) => {
    const rowOf = new Map<string, string>();
    const expectAll = async (today: string) => {
      const due = days.filter((date) => date <= today);
      Object.assign(team.script, list(due.map((date) => order(date)).toReversed()));
      expect(await team.sync()).toBe("ok");
      for (const [date, id] of await idsByDay()) if (!rowOf.has(date)) rowOf.set(date, id);
      expect(sorted(await idsByDay())).toEqual(sorted(due.map((date) => [date, rowOf.get(date)])));
      expect(await team.quarantine()).toEqual([]);
    };
    for (const today of syncedOn) {
      team.purser.clock.set(`${today}T09:00:00Z`);
      await expectAll(today);
    }
    await forgetCursor();
    await expectAll(syncedOn.at(-1)!);
  });

  it("does not move one that the bank cannot list any more, although it is asked for the whole history", async () => {
    const [old, recent] = [order("2025-06-01"), order("2026-03-01")];
    await expectListed([[old]]);
    await forgetCursor();
    await expectListed([[recent]], [old]);
  });
});

describe("an id that a bank uses for one transaction", () => {
  it("keeps its row when the bank corrects its day", async () => {
    await expectListed([[order("2026-03-01")]]);
    const [before] = await team.rows();
    await expectListed([[order("2026-02-27")]]);
    expect(await team.rows()).toMatchObject([{ id: before!.id }]);
  });

  it("keeps its row when it is posted, however old it is", async () => {
    await expectListed([[order("2026-03-01", { status: "PENDING" })]]);
    const [before] = await team.rows();
    team.purser.clock.set("2026-07-02T09:00:00Z");
    await expectListed([[order("2026-07-01")]]);
    expect(await team.rows()).toMatchObject([{ id: before!.id }]);
  });
});

describe("the id of a removed transaction", () => {
  it("may return for another one, while the bank lists that one under a new id on a later page", async () => {
    await expectListed([[payment()]]);
    team.script.transactions = async function* none() {};
    expect(await team.sync()).toBe("ok");
    expect((await team.quarantine()).map(({ reason }) => reason)).toEqual(["MISSING_FROM_WINDOW"]);
    await expectListed([[payment({ amount: 900 })], [payment({ externalId: "new" })]]);
  });
});
