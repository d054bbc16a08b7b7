import { currencyExponent, isCurrency } from "@purser/core";
import { expect, it } from "vitest";
import { decimalsOf } from "./decimals.ts";

it("decimalsOf returns what the server uses, for every currency", () => {
  const currencies = Intl.supportedValuesOf("currency").filter(isCurrency);
  expect(currencies.filter((currency) => decimalsOf(currency) !== currencyExponent(currency))).toEqual([]);
  expect(["EUR", "HUF", "JPY", "IQD", "CLF"].map(decimalsOf)).toEqual([2, 2, 0, 3, 4]);
});
