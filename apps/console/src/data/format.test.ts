import { describe, expect, it } from "vitest";
import { categoryInWords, formatMoney, numberSeparators, parseMoney } from "./format.ts";

describe("an amount", () => {
  // The decimals of Intl are those in daily use, which are fewer for some currencies.
  it.each([
    ["GBP", 1_234_500, "12,345.00"],
    ["JPY", 12_345, "12,345"],
    ["HUF", 1_000_000, "10,000.00"],
    ["IDR", 1_000_000, "10,000.00"],
    ["IQD", 10_000_000, "10,000.000"],
    ["UYW", 100_000_000, "10,000.0000"],
  ])("in %s has the decimals of the service", (currency, minor, major) => {
    expect(formatMoney(minor, currency).replaceAll(/[^\d.,]/g, "")).toBe(major);
    expect(parseMoney(major.replaceAll(",", ""), currency)).toBe(minor);
  });

  it("of zero has no sign, also as money out", () => {
    expect([0, -0].map((amount) => formatMoney(amount, "GBP"))).toEqual(["£0.00", "£0.00"]);
    expect(formatMoney(-1, "GBP")).toBe("-£0.01");
  });

  it("keeps the rounding of a compact notation", () => {
    expect(formatMoney(1_234_500, "GBP", { notation: "compact" })).toBe("£12K");
    expect(formatMoney(1_000_000, "HUF", { notation: "compact" }).replaceAll(/[^\dK]/g, "")).toBe("10K");
  });
});

describe("a field for numbers", () => {
  it.each([
    ["en-US", ",", "."],
    ["de-DE", ".", ","],
    ["fr-FR", "\u202F", ","],
    ["ar-EG", ",", "."],
  ])("separates in %s as amounts are shown", (locale, thousandSeparator, decimalSeparator) => {
    expect(numberSeparators(locale)).toEqual({ thousandSeparator, decimalSeparator });
  });
});

describe("a category", () => {
  it.each([
    ["FOOD_AND_DRINK", "Food and drink"],
    ["TRAVEL", "Travel"],
    ["garden_party", "Garden party"],
    ["HMRC VAT", "HMRC VAT"],
    ["Food and drink", "Food and drink"],
  ])("%s reads %s", (category, words) => {
    expect(categoryInWords(category)).toBe(words);
  });
});
