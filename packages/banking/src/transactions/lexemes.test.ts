import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amountPrefixes,
  firstDayOf,
  lexemesOf,
  monthOf,
  termOfMonths,
  searchTermsOf,
  tsqueryOf,
} from "./lexemes.ts";

const organizationId = "org_01kjpx8nh0ebtbbwnqdxvh0tr8";
const row = { description: "CAFÉ NERO 12", merchantName: null, transactionDate: "2026-03-31", amount: 1250 };

describe("lexemesOf", () => {
  it("has a lexeme for each word, the month and the amount, each for one organization", () => {
    expect(lexemesOf(organizationId, row)).toBe("vh0tr8#ire vh0tr8$41250 vh0tr8cafe vh0tr8nero vh0tr812");
  });

  it("includes the merchant, and is never empty", () => {
    const lexemes = lexemesOf(organizationId, { ...row, description: " ", merchantName: "Caffè" });
    expect(lexemes).toBe("vh0tr8#ire vh0tr8$41250 vh0tr8caffe");
  });
});

describe("searchTermsOf", () => {
  const search = { organizationId, words: ["caf", "ner"], minAmount: undefined, maxAmount: undefined };

  it("requires every word, and one of the months", () => {
    expect(searchTermsOf(search)).toEqual(["'vh0tr8caf':*", "'vh0tr8ner':*"]);
    const months = termOfMonths(organizationId, [monthOf("2026-03-31"), monthOf("2026-02-01")]);
    expect(tsqueryOf([...searchTermsOf(search), months])).toBe(
      "'vh0tr8caf':* & 'vh0tr8ner':* & ('vh0tr8#ire' | 'vh0tr8#ird')",
    );
  });

  it("requires an amount by its digits", () => {
    expect(searchTermsOf({ ...search, words: [], minAmount: 1250, maxAmount: 1269 })).toEqual([
      "('vh0tr8$4125':* | 'vh0tr8$4126':*)",
    ]);
  });
});

describe("amountPrefixes", () => {
  const amount = fc.oneof(fc.nat(2000), fc.maxSafeNat());
  const marked = (value: number) => `$${String(value).length.toString(36)}${value}`;

  it("has all amounts of a range, and no other one", () => {
    fc.assert(
      fc.property(amount, amount, amount, (one, other, some) => {
        const [least, most] = [Math.min(one, other), Math.max(one, other)];
        const prefixes = amountPrefixes(least, most);
        const has = (value: number) => prefixes.some((prefix) => marked(value).startsWith(prefix));
        expect(prefixes.length).toBeLessThan(300);
        for (const value of [some, least, most, least - 1, most + 1].filter((each) => each >= 0))
          if (Number.isSafeInteger(value)) expect(has(value)).toBe(value >= least && value <= most);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [0, 0, ["$10"]],
    [0, 9, ["$1"]],
    [1250, 1250, ["$41250"]],
    [1000, 9999, ["$4"]],
    [100, Number.MAX_SAFE_INTEGER, "3456789abcdefg".split("").map((digits) => `$${digits}`)],
  ])("is short for %d to %d", (least, most, prefixes) => {
    expect(amountPrefixes(least, most)).toEqual(prefixes);
  });
});

describe("monthOf", () => {
  it.each(["0001-01-01", "2024-02-01", "2025-12-01", "9999-12-01"])("is undone by firstDayOf: %s", (day) => {
    expect(firstDayOf(monthOf(day))).toBe(day);
    expect(monthOf(day.replace(/01$/, "28"))).toBe(monthOf(day));
  });
});
