import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AmountError, currencyExponent, isCurrency, minorUnits } from "./money.ts";

describe("minorUnits", () => {
  it.each([
    ["12.50", "GBP", 1250],
    ["-12.5", "GBP", -1250],
    ["1250", "JPY", 1250],
    ["1.234", "BHD", 1234],
    ["0.07", "EUR", 7],
    ["-0.001", "EUR", 0],
    ["1e3", "EUR", 100_000],
    ["1.5e-1", "EUR", 15],
    ["+4.", "USD", 400],
    // Half to even: the last digit kept becomes even.
    ["0.125", "USD", 12],
    ["0.135", "USD", 14],
    ["0.1251", "USD", 13],
    ["0.1249999999999999999999", "USD", 12],
    ["2.5", "JPY", 2],
    ["3.5", "JPY", 4],
    ["-0.125", "USD", -12],
    ["90071992547409.91", "USD", Number.MAX_SAFE_INTEGER],
  ])("reads %s %s as %i", (decimal, currency, minor) => {
    expect(minorUnits(decimal, currency)).toBe(minor);
  });

  it.each(["", "abc", "1,50", "0x10", "NaN", "Infinity", "1.2.3", "90071992547409.92", "1e99"])(
    "refuses %j",
    (decimal) => {
      expect(() => minorUnits(decimal, "USD")).toThrow(AmountError);
    },
  );

  it("round-trips every amount that is written with its currency's decimals", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("USD", "JPY", "BHD", "CLF"), (amount, currency) => {
        const exponent = currencyExponent(currency);
        const digits = String(Math.abs(amount)).padStart(exponent + 1, "0");
        const point = digits.length - exponent;
        const decimal = `${amount < 0 ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
        expect(minorUnits(decimal, currency)).toBe(amount === 0 ? 0 : amount);
      }),
    );
  });
});

describe("isCurrency", () => {
  it("knows the codes of ISO 4217, in upper case only", () => {
    expect(["GBP", "JPY", "gbp", "XYZ", ""].map(isCurrency)).toEqual([true, true, false, false, false]);
  });
});
