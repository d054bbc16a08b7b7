import { describe, expect, it } from "vitest";
import { spendingByCategory, sumOf } from "./spent.ts";

const flow = (category: string | null, currency: string, moneyOut: number) => ({
  category,
  currency,
  moneyOut,
});

describe("The spending by category", () => {
  const flows = [
    flow("TRAVEL", "EUR", 27_403),
    flow("TRAVEL", "GBP", 50_000),
    flow("TRAVEL", "GBP", 4678),
    flow("RENT", "GBP", 90_000),
    flow("FEES", "EUR", 120),
    flow("INCOME", "GBP", 0),
    flow(null, "GBP", 30),
  ];

  it("has each currency of a category, the chosen one first", () => {
    expect(spendingByCategory(flows, "GBP")).toEqual([
      { category: "RENT", share: 1, amounts: [{ currency: "GBP", amount: 90_000 }] },
      {
        category: "TRAVEL",
        share: 54_678 / 90_000,
        amounts: [
          { currency: "GBP", amount: 54_678 },
          { currency: "EUR", amount: 27_403 },
        ],
      },
      { category: null, share: 30 / 90_000, amounts: [{ currency: "GBP", amount: 30 }] },
      { category: "FEES", share: 0, amounts: [{ currency: "EUR", amount: 120 }] },
    ]);
  });

  it("adds up to a sum for each currency", () => {
    expect(sumOf(spendingByCategory(flows, "EUR"), "EUR")).toEqual([
      { currency: "EUR", amount: 27_523 },
      { currency: "GBP", amount: 144_708 },
    ]);
  });
});
