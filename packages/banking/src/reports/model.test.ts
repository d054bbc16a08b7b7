// @module-tag slow
import { day, isNightly } from "@purser/core/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import { readLedger, totalsOfRows, totalsStored } from "../testing/ledger-model.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

const banking = () => team.purser.as(team.owner).banking;
const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00.000Z` : text);
const balances = (input: { from: Date; to: Date; accountId?: string }) =>
  banking().reports.balances({ teamId: team.teamId, ...input });
type Cashflow = Parameters<ReturnType<typeof banking>["reports"]["cashflow"]>[0];
const cashflow = (input: Omit<Cashflow, "teamId">) =>
  banking().reports.cashflow({ teamId: team.teamId, ...input });
const inTimeZone = (timeZone: string) =>
  team.purser.as(team.owner).organizations.settings.update({ id: team.teamId, timeZone });

describe("random histories", () => {
  it(
    "are reported as the listed transactions add up",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async () => {
      await fc.assert(fc.asyncProperty(aHistory, reportsLedger), { numRuns: isNightly ? 1000 : 8 });
    },
  );
});

const zones = [
  "UTC",
  "Europe/London",
  "America/New_York",
  "Asia/Tokyo",
  "Pacific/Kiritimati",
  "America/St_Johns",
];
/** The hours around changes of the clock and around midnight somewhere, and any others. */
const anInstant = fc.oneof(
  fc
    .constantFrom(
      "2026-03-29T00:30:00Z",
      "2026-03-08T07:10:00Z",
      "2026-03-01T23:30:00Z",
      "2026-02-28T04:59:59Z",
    )
    .map(at),
  fc.date({ min: at("2026-01-01"), max: at("2026-04-30"), noInvalidDate: true }),
);
const aDay = fc
  .date({ min: at("2025-12-20"), max: at("2026-05-05"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const aTransaction = fc.record({
  accountId: fc.constantFrom("sterling", "yen"),
  status: fc.constantFrom("POSTED" as const, "POSTED" as const, "PENDING" as const),
  amount: fc.integer({ min: 0, max: 5000 }),
  type: fc.constantFrom("CREDIT" as const, "DEBIT" as const),
  // A bank may post another currency to an account.
  currency: fc.constantFrom(undefined, undefined, undefined, "EUR"),
  category: fc.constantFrom(null, "RENT", "FOOD"),
  date: aDay,
});
/** What happens to a transaction between two syncs. */
const aFate = fc.constantFrom("stays", "stays", "removed", "posted", "moved", "recategorized");
const aHistory = fc.record({
  first: fc.array(fc.tuple(aTransaction, aFate), { maxLength: 25 }),
  second: fc.array(aTransaction, { maxLength: 5 }),
  now: anInstant,
  timeZone: fc.constantFrom(...zones),
  range: fc.tuple(fc.oneof(aDay.map(at), anInstant), fc.oneof(aDay.map(at), anInstant)),
  interval: fc.constantFrom("day" as const, "week" as const, "month" as const),
});
type History = typeof aHistory extends fc.Arbitrary<infer Value> ? Value : never;

async function reportsLedger({ first, second, now, timeZone, range, interval }: History): Promise<void> {
  team.purser.clock.set(now);
  const transaction = (one: History["second"][number], externalId: string) =>
    payment({ ...one, externalId, currency: one.currency ?? currencies[one.accountId]! });
  const before = first.map(([one], index) => transaction(one, `t${index}`));
  const changed = first.flatMap(([, fate], index): TransactionData[] => {
    const one = before[index]!;
    if (fate === "posted") return [{ ...one, status: "POSTED" }];
    if (fate === "moved") return [{ ...one, date: "2026-02-14" }];
    return fate === "recategorized" ? [{ ...one, category: "TRAVEL" }] : [];
  });
  const removed = first.flatMap(([one, fate], index) =>
    fate === "removed" ? [{ accountId: one.accountId, externalId: `t${index}` }] : [],
  );
  const added = second.map((one, index) => transaction(one, `u${index}`));
  await team.begin({
    accounts: async () =>
      Object.entries(currencies).map(([externalId, currency], index) =>
        bankAccount({
          externalId,
          currency,
          balance: 1000 - index * 5000,
          identifiers: [`test:${externalId}`],
        }),
      ),
    changes: log([{ added: before }, { modified: changed, removed, added }]).changes,
  });
  await inTimeZone(timeZone);
  for (let count = 0; count < 2; count += 1) expect(await team.sync()).toBe("ok");
  const ledger = await readLedger(team.purser.db, team.teamId);
  expect(totalsStored(ledger)).toEqual(totalsOfRows(ledger.rows));

  const [from, to] = range.toSorted((one, other) => one.getTime() - other.getTime()) as [Date, Date];
  const expected = await recompute({ from, to, now, timeZone });
  expect(await balances({ from, to })).toEqual(expected.balances);
  for (const groupBy of [undefined, "category"] as const) {
    const report = await cashflow({ from, to, interval, ...(groupBy && { groupBy }) });
    expect(report).toEqual(expected.cashflow(interval, groupBy === "category"));
  }
  const [account] = await banking().accounts.list({ teamId: team.teamId });
  const ofOne = await recompute({ from, to, now, timeZone, accountId: account!.id });
  expect(await balances({ from, to, accountId: account!.id })).toEqual(ofOne.balances);
  expect(await cashflow({ from, to, interval, accountId: account!.id })).toEqual(
    ofOne.cashflow(interval, false),
  );
}

const currencies: Record<string, string> = { sterling: "GBP", yen: "JPY" };

/** The same reports, from the lists that everybody sees. */
async function recompute(given: { from: Date; to: Date; now: Date; timeZone: string; accountId?: string }) {
  const { now, timeZone, accountId } = given;
  const { teamId } = team;
  const of = accountId === undefined ? {} : { accountId };
  const listed = (await banking().transactions.list({ teamId, ...of })).map((one) => ({
    ...one,
    day: one.transactionDate.toISOString().slice(0, 10),
    net: one.type === "CREDIT" ? one.amount : -one.amount,
  }));
  const accounts = (await banking().accounts.list({ teamId })).filter(({ id }) => (accountId ?? id) === id);
  // Swedes write dates as ISO does. A day without a time is that day everywhere.
  const dayOf = (instant: Date) =>
    instant.toISOString().endsWith("T00:00:00.000Z")
      ? instant.toISOString().slice(0, 10)
      : instant.toLocaleDateString("sv-SE", { timeZone });
  const last = [dayOf(given.to), now.toLocaleDateString("sv-SE", { timeZone })].toSorted()[0]!;
  const days: string[] = [];
  for (let date = at(dayOf(given.from)); ; date = new Date(date.getTime() + day)) {
    const text = date.toISOString().slice(0, 10);
    if (text > last) break;
    days.push(text);
  }
  const sum = (all: typeof listed, type: "CREDIT" | "DEBIT") =>
    all.reduce((total, one) => total + (one.type === type ? one.amount : 0), 0);
  const nets = (id: string, currency: string) =>
    listed.filter((one) => one.accountId === id && one.currency === currency);
  return {
    balances: accounts.map(({ id, balance, currency }) => ({
      accountId: id,
      currency,
      points: days.map((date) => {
        const later = nets(id, currency).filter((one) => one.day > date);
        // No negative zero.
        return { date, balance: later.reduce((total, one) => total - one.net, balance) + 0 };
      }),
    })),
    cashflow(interval: "day" | "week" | "month", isGrouped: boolean) {
      const within = listed.filter((one) => days.includes(one.day));
      const starts = [...new Set(days.map((date) => startOf(date, interval)))];
      const withMoney = within.filter(({ amount }) => amount > 0);
      const idle = accounts.filter(({ currency }) => withMoney.every((one) => one.currency !== currency));
      const groups = isGrouped
        ? [...withMoney, ...idle.map(({ currency }) => ({ currency, category: null }))].map(
            ({ currency, category }) => ({ currency, category }),
          )
        : [...accounts, ...withMoney].map(({ currency }) => ({ currency }));
      const keys = [...new Set(groups.map((group) => JSON.stringify(group)))];
      const rows =
        days.length === 0
          ? []
          : keys.flatMap((key) => {
              const group = JSON.parse(key) as { currency: string; category?: string | null };
              return starts.map((start) => {
                const all = within.filter(
                  (one) =>
                    startOf(one.day, interval) === start &&
                    one.currency === group.currency &&
                    (!isGrouped || one.category === group.category),
                );
                return { ...group, start, moneyIn: sum(all, "CREDIT"), moneyOut: sum(all, "DEBIT") };
              });
            });
      const order = ({
        currency,
        category,
        start,
      }: {
        currency: string;
        category?: string | null;
        start: string;
      }) => [currency, category ?? "", start].join(" ");
      return rows.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
    },
  };
}

function startOf(date: string, interval: "day" | "week" | "month"): string {
  if (interval === "day") return date;
  if (interval === "month") return `${date.slice(0, 8)}01`;
  const monday = at(date);
  while (monday.getUTCDay() !== 1) monday.setTime(monday.getTime() - day);
  return monday.toISOString().slice(0, 10);
}
