import { createRandom } from "@purser/core";
import { bankTransactions } from "@purser/db";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bankingTasks } from "../jobs.ts";
import { DailyTotals } from "../syncs/store/daily-totals.ts";
import { insertRows } from "../syncs/store/ledger.ts";
import { type ScriptedTeam, bankAccount, createScriptedTeam } from "../testing/scripted-bank.ts";
import type { TransactionFilter } from "./store/list.ts";
import { searchTransactionRows } from "./store/search.ts";

let team: ScriptedTeam;
let accountIds: string[];
let rows: (typeof bankTransactions.$inferSelect)[];
const history = 400;
const days = 900;

beforeAll(async () => {
  team = await createScriptedTeam();
  const accounts = async () =>
    ["current", "savings", "card"].map((externalId) => bankAccount({ externalId }));
  await team.begin({ accounts });
  accountIds = (await team.accounts()).map(({ id }) => id);
  const chance = createRandom("search", 1);
  // Nothing of the newest year is about a theater, so that only the look-ups by month find one.
  const shops = ["TESCO STORES", "Café Zürich", "CO-OP GROUP FOOD", "Théâtre de l'Œuvre", "Tescoma"];
  const ledger = Array.from({ length: history }, (_, index) => {
    const back = chance.whole(0, days);
    const [accountId, amount] = [chance.pick(accountIds), chance.pick([5, 50, 99, 100, 1250, 12_500])];
    return {
      id: `btx_${String(index).padStart(26, "0")}`,
      accountId,
      connectionId: team.connectionId,
      externalId: `t${index}`,
      idEpoch: 0,
      status: chance.happens(0.1) ? ("PENDING" as const) : ("POSTED" as const),
      amount,
      rawAmount: String(amount),
      currency: "GBP",
      type: chance.happens(0.2) ? ("CREDIT" as const) : ("DEBIT" as const),
      description: `${chance.pick(back > 365 ? shops : shops.filter((shop) => !shop.startsWith("Th")))} ${index}`,
      merchantName: chance.pick([null, null, "Market Hall"]),
      transactionDate: new Date(Date.parse("2026-03-01") - back * 86_400_000).toISOString().slice(0, 10),
      category: chance.pick([null, "FOOD", "FUN"]),
    };
  });
  await team.purser.db.transaction((transaction) =>
    insertRows(transaction, team.teamId, ledger, { now: team.purser.clock.now(), totals: new DailyTotals() }),
  );
  rows = (await team.rows()).toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
});
afterAll(() => team.purser.close());

const keyOf = ({ transactionDate, id }: { transactionDate: string; id: string }) =>
  `${transactionDate} ${id}`;
const search = async (input: object) =>
  (await team.purser.as(team.owner).banking.transactions.list({ teamId: team.teamId, ...input })).map(
    ({ id }) => id,
  );
const posted = (fits: (row: (typeof rows)[number]) => boolean) =>
  rows.filter((row) => row.status === "POSTED" && fits(row)).map(({ id }) => id);

describe("banking.transactions.list, with a query", () => {
  it.each<[string, RegExp]>([
    ["tesco", /^Tesco/i],
    ["tes STO", /^TESCO/],
    ["CAFE zur", /^Café/],
    ["café ZÜRICH", /^Café/],
    ["co-op", /^CO-OP/],
    ["theatre oeu", /^Théâtre/],
    ["stores tesco", /^TESCO/],
    ["tesco cafe", /^$/],
    ["esco", /^$/],
    ["17", / 17\d?$/],
    ["tesco:* | !zurich & '", /^$/],
  ])("finds rows with words that begin with each of %j", async (query, description) => {
    expect(await search({ query })).toEqual(posted((row) => description.test(row.description)));
  });

  it("finds the merchant's name, also together with a word of the description", async () => {
    expect(await search({ query: "hall" })).toEqual(posted((row) => row.merchantName !== null));
    expect(await search({ query: "hall tescoma" })).toEqual(
      posted((row) => row.merchantName !== null && row.description.startsWith("Tescoma")),
    );
  });

  it("searches pending ones, or both, in the order of the list", async () => {
    const tesco = rows.filter(({ description }) => /^tesco/i.test(description));
    expect(await search({ query: "tesco", status: "ALL" })).toEqual(tesco.map(({ id }) => id));
    const pending = tesco.filter(({ status }) => status === "PENDING");
    expect(pending.length).toBeGreaterThan(0);
    expect(await search({ query: "tesco", status: "PENDING" })).toEqual(pending.map(({ id }) => id));
  });

  it.each([
    [{ minAmount: 100 }, (amount: number) => amount >= 100],
    [{ maxAmount: 99 }, (amount: number) => amount <= 99],
    [{ minAmount: 99, maxAmount: 1250 }, (amount: number) => amount >= 99 && amount <= 1250],
    [{ minAmount: 1250, maxAmount: 1250 }, (amount: number) => amount === 1250],
    [{ minAmount: 6, maxAmount: 49 }, () => false],
  ])("filters by %j, both ends included", async (input, fits) => {
    expect(await search(input)).toEqual(posted(({ amount }) => fits(amount)));
    expect(await search({ ...input, query: "tesco" })).toEqual(
      posted(({ amount, description }) => fits(amount) && /^tesco/i.test(description)),
    );
  });

  it("combines with every other filter, in any step, page by page", async () => {
    const chance = createRandom("filters", 2);
    const limits = { firstWalk: 8, secondWalk: 12, frequent: 3, sorted: 10, common: 1, windows: [1, 2, 4] };
    for (let round = 0; round < 120; round += 1) {
      const filter: TransactionFilter = {
        organizationId: team.teamId,
        status: chance.pick(["POSTED", "POSTED", "PENDING"]),
        accountIds: chance.pick([undefined, undefined, accountIds.slice(0, 1), accountIds.slice(1), []]),
        firstDay: chance.pick([undefined, "2024-06-15"]),
        lastDay: chance.pick([undefined, "2025-06-15"]),
        type: chance.pick([undefined, undefined, "DEBIT" as const]),
        category: chance.pick([undefined, undefined, "FOOD"]),
        after: chance.pick([undefined, chance.pick(rows)]),
      };
      const [query, words] = chance.pick([
        [/^tesco/i, ["tesco"]],
        [/^TESCO/, ["tesco", "sto"]],
        [/^Th/, ["theatre"]],
        [/./, []],
      ] as [RegExp, string[]][]);
      const [minAmount, maxAmount] = chance.pick([
        [undefined, undefined],
        [50, 1250],
        [1250, 1250],
      ]);
      const fits = (row: (typeof rows)[number]) =>
        row.status === filter.status &&
        (filter.accountIds?.includes(row.accountId) ?? true) &&
        row.transactionDate >= (filter.firstDay ?? "") &&
        row.transactionDate <= (filter.lastDay ?? "9") &&
        row.type === (filter.type ?? row.type) &&
        row.category === (filter.category ?? row.category) &&
        (filter.after === undefined || keyOf(row) < keyOf(filter.after)) &&
        query.test(row.description) &&
        row.amount >= (minAmount ?? 0) &&
        row.amount <= (maxAmount ?? Infinity);
      if (words.length === 0 && minAmount === undefined) continue;
      const wanted = { organizationId: team.teamId, words, minAmount, maxAmount };
      const size = chance.pick([1, 7, 1000]);
      const found = await searchTransactionRows(team.purser.db, filter, wanted, size, limits);
      const expected = rows.filter(fits).slice(0, size);
      const message = JSON.stringify({ filter, wanted, size });
      expect(
        found.map(({ id }) => id),
        message,
      ).toEqual(expected.map(({ id }) => id));
    }
  });

  it("finds rows of a version without search once the hourly task has run", async () => {
    const ofTeam = eq(bankTransactions.organizationId, team.teamId);
    const before = await search({ query: "tesco" });
    await team.purser.db
      .update(bankTransactions)
      .set({ search: sql`NULL` })
      .where(ofTeam);
    expect(await search({ query: "tesco" })).toEqual([]);
    await Promise.all(bankingTasks(team.purser.platform).map((task) => task()));
    expect(await search({ query: "tesco" })).toEqual(before);
  });
});
