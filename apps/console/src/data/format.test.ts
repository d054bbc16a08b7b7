import { describe, expect, it } from "vitest";
import { categoryInWords, formatMoney, numberSeparators, parseMoney, problemOfMoney } from "./format.ts";

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

describe("a written amount", () => {
  it.each([
    ["12.5", "EUR", 1250],
    [12.5, "EUR", 1250],
    ["12.", "EUR", 1200],
    [".5", "EUR", 50],
    ["0", "JPY", 0],
    [1250, "JPY", 1250],
    ["12.505", "KWD", 12_505],
    ["90071992547409.91", "EUR", Number.MAX_SAFE_INTEGER],
  ])("%s in %s is read", (written, currency, minor) => {
    expect(parseMoney(written, currency)).toBe(minor);
    expect(problemOfMoney(written, currency)).toBeNull();
  });

  // A person who writes more decimals than there are meant another currency, or thousands.
  it.each([
    ["12.50", "JPY", "Enter an amount without decimals, such as 1,250"],
    [12.5, "JPY", "Enter an amount without decimals, such as 1,250"],
    ["12.505", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["12.500", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["1.23456", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["1.2345", "KWD", "Enter an amount with up to 3 decimals, such as 12.500"],
    ["1,234.56", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    [".", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["-1", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["1e3", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
    ["90071992547409.92", "EUR", "Enter an amount with up to 2 decimals, such as 12.50"],
  ])("%s in %s is refused, not rounded", (written, currency, problem) => {
    expect(parseMoney(written, currency)).toBeNull();
    expect(problemOfMoney(written, currency)).toBe(problem);
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
