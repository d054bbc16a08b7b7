import { describe, expect, it } from "vitest";
import { withEmptyPeriods } from "./rules.ts";

describe("the periods of a cash flow", () => {
  const periods = ["2026-03-02", "2026-03-09"];
  const none = { moneyIn: 0, moneyOut: 0 };
  const spent = { currency: "GBP", start: "2026-03-02", moneyIn: 0, moneyOut: 20 };

  it("have zeros for a currency without money", () => {
    expect(withEmptyPeriods([spent], ["JPY", "GBP"], periods, false)).toEqual([
      spent,
      { currency: "GBP", start: "2026-03-09", ...none },
      { currency: "JPY", start: "2026-03-02", ...none },
      { currency: "JPY", start: "2026-03-09", ...none },
    ]);
  });

  it("have zeros for it under no category, if they are grouped", () => {
    const rent = { ...spent, category: "RENT" };
    expect(withEmptyPeriods([rent], ["JPY", "GBP"], periods, true)).toEqual([
      rent,
      { currency: "GBP", category: "RENT", start: "2026-03-09", ...none },
      { currency: "JPY", category: null, start: "2026-03-02", ...none },
      { currency: "JPY", category: null, start: "2026-03-09", ...none },
    ]);
  });
});
