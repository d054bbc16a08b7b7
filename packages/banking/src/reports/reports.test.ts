import { refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  leaveOut,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
beforeAll(async () => void (team = await createScriptedTeam()));
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

/** A team whose current account, with a balance of £10.00, has these transactions. */
async function bankWith(...added: Partial<TransactionData>[]): Promise<string> {
  const posted = added.map((one, index) => payment({ externalId: `t${index}`, ...one }));
  await team.begin({ changes: log([{ added: posted }]).changes });
  expect(await team.sync()).toBe("ok");
  return (await team.accounts())[0]!.id;
}

describe("banking.reports.balances", () => {
  it("has the closing balance of each day, and the present one today", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    const accountId = await bankWith(
      { date: "2026-03-02", amount: 300 },
      { date: "2026-03-03", amount: 1000, type: "CREDIT" },
      { date: "2026-03-04", amount: 50, status: "PENDING" },
    );
    expect(await balances({ from: at("2026-03-01"), to: at("2026-03-31") })).toEqual([
      {
        accountId,
        currency: "GBP",
        points: [
          { date: "2026-03-01", balance: 300 },
          { date: "2026-03-02", balance: 0 },
          { date: "2026-03-03", balance: 1000 },
          { date: "2026-03-04", balance: 1000 },
        ],
      },
    ]);
  });

  it("counts what the bank has posted for tomorrow as later than today", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    await bankWith({ date: "2026-03-05", amount: 300 });
    const [{ points } = { points: [] }] = await balances({ from: at("2026-03-03"), to: at("2026-03-09") });
    expect(points).toEqual([
      { date: "2026-03-03", balance: 1300 },
      { date: "2026-03-04", balance: 1300 },
    ]);
  });

  it("ends today in the organization's time zone", async () => {
    team.purser.clock.set("2026-03-04T20:00:00Z");
    await bankWith();
    const range = { from: at("2026-03-04"), to: at("2026-03-09") };
    const days = async () => (await balances(range))[0]!.points.map(({ date }) => date);
    expect(await days()).toEqual(["2026-03-04"]);
    await inTimeZone("Asia/Tokyo");
    expect(await days()).toEqual(["2026-03-04", "2026-03-05"]);
    expect((await balances({ from: at("2026-04-01"), to: at("2026-04-02") }))[0]!.points).toEqual([]);
  });

  it("begins on the day before the account's first transaction while the bank has yet to add earlier days", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    const page = (date: string) => ({ added: [payment({ date, externalId: date })] });
    const isHistoryComplete = false;
    await team.begin(
      log([{ isHistoryComplete }, { ...page("2026-03-03"), isHistoryComplete }, page("2026-02-02")]),
    );
    const firstPoint = async (from: string) => {
      expect(await team.sync()).toBe("ok");
      return (await balances({ from: at(from), to: at("2026-03-04") }))[0]!.points[0];
    };
    expect(await firstPoint("2026-02-01")).toBeUndefined();
    expect(await firstPoint("2026-02-01")).toEqual({ date: "2026-03-02", balance: 1500 });
    expect(await firstPoint("2026-02-01")).toEqual({ date: "2026-02-01", balance: 2000 });
  });

  describe("has no days while the balance is not of the reading of the transactions", () => {
    const days = async () =>
      (await balances({ from: at("2026-03-01"), to: at("2026-03-04") })).map(({ points }) => points.length);
    const bought = (externalId: string) => log([{ added: [payment({ externalId })] }]);
    const everything = ["accounts", "balances", "transactions"];

    async function limitTo(scopes: string[]): Promise<void> {
      const { teamId, connectionId } = team;
      const change = { teamId, connectionId, scopes, expiresAt: at("2026-06-01") };
      await banking().connections.updateConsent(change);
    }

    it.each([
      ["balances", ["accounts", "transactions"]],
      ["transactions", ["accounts", "balances"]],
    ])("because the team withholds the %s", async (_which, scopes) => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      await bankWith({ date: "2026-03-02" });
      await limitTo(scopes);
      Object.assign(team.script, bought("t9"));
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([0]);
      await limitTo(everything);
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4]);
    });

    it("because the bank sends an account without its balance", async () => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      const other = bankAccount({ externalId: "other", identifiers: ["x:1"] });
      await bankWith();
      team.script.accounts = async () => [bankAccount(), other];
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4, 4]);
      const item = { kind: "account", externalId: null, problem: "no balance" } as const;
      team.script.accounts = async (_access, report) => {
        leaveOut([{ ...item, accountId: "current" }], report);
        return [other];
      };
      Object.assign(team.script, bought("t9"));
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4, 0]);
    });

    it("because a new consent has brought the balance alone", async () => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      await bankWith({ date: "2026-03-02" });
      expect(await days()).toEqual([4]);
      await team.renew("second");
      expect(await days()).toEqual([0]);
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4]);
    });

    it("but has them of an account without transactions, once those were read", async () => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      await team.begin();
      expect(await days()).toEqual([0]);
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4]);
    });

    it("because the provider lists no transactions of such an account", async () => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      await team.begin({ accounts: async () => [bankAccount({ listsTransactions: false })] });
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([0]);
    });

    it("except if neither was read", async () => {
      team.purser.clock.set("2026-03-04T09:00:00Z");
      await bankWith({ date: "2026-03-02" });
      await limitTo(["accounts"]);
      expect(await team.sync()).toBe("ok");
      expect(await days()).toEqual([4]);
    });
  });

  it("refuses more than 731 days, an end before the beginning, and other teams' accounts", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    const other = await bankWith();
    await bankWith();
    const range = { from: at("2026-03-01"), to: at("2026-03-02") };
    expect(await refusalOf(balances({ from: at("2024-03-03"), to: at("2026-03-04") }))).toBe(
      "VALIDATION_FAILED",
    );
    expect((await balances({ from: at("2024-03-04"), to: at("2026-03-04") }))[0]!.points).toHaveLength(731);
    expect(await refusalOf(balances({ from: range.to, to: range.from }))).toBe("VALIDATION_FAILED");
    expect(await refusalOf(balances({ ...range, accountId: other }))).toBe("BANK_ACCOUNT_NOT_FOUND");
    expect(await refusalOf(cashflow({ ...range, accountId: other, interval: "day" }))).toBe(
      "BANK_ACCOUNT_NOT_FOUND",
    );
  });
});

describe("banking.reports.cashflow", () => {
  const march = { from: at("2026-03-04"), to: at("2026-03-10") };

  it("begins periods on their own first day, and counts only what lies within the report", async () => {
    team.purser.clock.set("2026-03-12T09:00:00Z");
    await bankWith(
      { date: "2026-03-03", amount: 1 },
      { date: "2026-03-04", amount: 20 },
      { date: "2026-03-08", amount: 300, type: "CREDIT" },
      { date: "2026-03-10", amount: 4000 },
      { date: "2026-03-11", amount: 50_000 },
    );
    expect(await cashflow({ ...march, interval: "week" })).toEqual([
      { currency: "GBP", start: "2026-03-02", moneyIn: 300, moneyOut: 20 },
      { currency: "GBP", start: "2026-03-09", moneyIn: 0, moneyOut: 4000 },
    ]);
    expect(await cashflow({ ...march, interval: "month" })).toEqual([
      { currency: "GBP", start: "2026-03-01", moneyIn: 300, moneyOut: 4020 },
    ]);
    expect((await cashflow({ ...march, interval: "day" })).map(({ moneyOut }) => moneyOut)).toEqual([
      20, 0, 0, 0, 0, 0, 4000,
    ]);
  });

  it("refuses a sum beyond the range of amounts, and reports what is within it", async () => {
    team.purser.clock.set("2026-03-12T09:00:00Z");
    const amount = Number.MAX_SAFE_INTEGER;
    await bankWith(
      { date: "2026-03-04", amount, type: "CREDIT" },
      { date: "2026-03-05", amount: 1, type: "CREDIT" },
    );
    expect(await refusalOf(cashflow({ ...march, interval: "week" }))).toBe("SUM_TOO_LARGE");
    expect((await cashflow({ ...march, interval: "day" })).map(({ moneyIn }) => moneyIn)).toEqual([
      amount,
      1,
      0,
      0,
      0,
      0,
      0,
    ]);
    // The present balance is £10.00, so that of the day before is ten pounds less than minus the amounts.
    await bankWith(
      { date: "2026-03-05", amount, type: "CREDIT" },
      { date: "2026-03-06", amount, type: "CREDIT" },
    );
    expect(await refusalOf(balances(march))).toBe("SUM_TOO_LARGE");
    const [{ points } = { points: [] }] = await balances({ ...march, from: at("2026-03-05") });
    expect(points[0]).toEqual({ date: "2026-03-05", balance: 1000 - amount });
  });

  it("counts a transfer between two accounts in both, under the category of its transactions", async () => {
    team.purser.clock.set("2026-03-12T09:00:00Z");
    const transfer = { date: "2026-03-04", amount: 300, category: "TRANSFER" };
    const sent = payment({ ...transfer, externalId: "sent" });
    const received = payment({ ...transfer, externalId: "received", accountId: "saver", type: "CREDIT" });
    const bought = payment({ date: "2026-03-04", amount: 20, externalId: "bought" });
    await team.begin({
      accounts: async () => [bankAccount(), bankAccount({ externalId: "saver" })],
      ...log([{ added: [sent, received, bought] }]),
    });
    expect(await team.sync()).toBe("ok");
    const period = { currency: "GBP", start: "2026-03-04" };
    const day = { from: at("2026-03-04"), to: at("2026-03-04"), interval: "day" } as const;
    expect(await cashflow(day)).toEqual([{ ...period, moneyIn: 300, moneyOut: 320 }]);
    expect(await cashflow({ ...day, groupBy: "category" })).toEqual([
      { ...period, category: null, moneyIn: 0, moneyOut: 20 },
      { ...period, category: "TRANSFER", moneyIn: 300, moneyOut: 300 },
    ]);
  });

  it("reads plain days of REST as days of the organization's time zone", async () => {
    team.purser.clock.set("2026-03-12T09:00:00Z");
    await bankWith({ date: "2026-03-04", amount: 20 }, { date: "2026-03-05", amount: 300 });
    await inTimeZone("America/New_York");
    const report = (from: string, to: string) => cashflow({ from: at(from), to: at(to), interval: "month" });
    expect((await report("2026-03-04", "2026-03-04T23:59:59.999Z"))[0]!.moneyOut).toBe(20);
    expect((await report("2026-03-05T05:00:00Z", "2026-03-06T04:59:59Z"))[0]!.moneyOut).toBe(300);
  });
});
