import type { BankAccount, BankBalances } from "@purser/client";
import { describe, expect, it } from "vitest";
import { balanceByDay, totalBalances, withoutUnknown } from "./balances.ts";

const account = (id: string, balance: number, status = "ACTIVE", currency = "GBP") =>
  ({ id, balance, currency, isListed: true, connection: { status } }) as BankAccount;

const current = account("bac_current", 4_000_000);
const left = account("bac_left", 4_000_000, "DISCONNECTED");
const euros = account("bac_euros", 700, "DISCONNECTED", "EUR");

const days = (accountId: string, ...balances: number[]): BankBalances => ({
  accountId,
  currency: "GBP",
  points: balances.map((balance, index) => ({ date: `2026-03-0${index + 1}`, balance })),
});

describe("the totals of the overview", () => {
  it("count no account that its bank does not list any more", () => {
    const closed = { ...account("bac_closed", 300), isListed: false };
    expect(totalBalances([closed, current])).toMatchObject([
      { balance: 4_000_000, accounts: 1, disconnected: 300 },
    ]);
  });

  it("count only banks that are read, and name what others had last", () => {
    expect(totalBalances([euros, left, current])).toEqual([
      { currency: "GBP", balance: 4_000_000, accounts: 1, disconnected: 4_000_000 },
      { currency: "EUR", balance: 0, accounts: 0, disconnected: 700 },
    ]);
    expect(totalBalances([current])[0]?.disconnected).toBeNull();
  });
});

describe("the balance day by day", () => {
  it("counts the accounts that the totals count", () => {
    const report = [days("bac_current", 100, 200), days("bac_left", 7, 7), days("bac_elsewhere", 5, 5)];
    expect(balanceByDay(report, [current, left], "GBP")).toEqual({
      points: [
        { at: new Date("2026-03-01"), value: 100 },
        { at: new Date("2026-03-02"), value: 200 },
      ],
      unknown: 0,
    });
    expect(balanceByDay(report, [current, left], "EUR")).toEqual({ points: [], unknown: 0 });
  });

  it("tells how many accounts it leaves out", () => {
    const savings = account("bac_savings", 5_000_000);
    const report = [days("bac_current", 100, 200), days("bac_savings")];
    const { points, unknown } = balanceByDay(report, [current, savings, left], "GBP");
    expect(points.map(({ value }) => value)).toEqual([100, 200]);
    expect(unknown).toBe(1);
    expect(withoutUnknown(unknown)).toBe("Without 1 account whose earlier balances are not known");
    expect(withoutUnknown(0)).toBeNull();
  });
});
