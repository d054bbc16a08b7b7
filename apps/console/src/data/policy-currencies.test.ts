import { describe, expect, it } from "vitest";
import { currenciesOfPolicy } from "./policy-currencies.ts";

describe("the currencies of a policy", () => {
  it("are not known before the policies, and without a card before the accounts", () => {
    const unused = [{ id: "a", currencies: [] }];
    expect(currenciesOfPolicy("a", undefined, [{ currency: "GBP" }])).toBeUndefined();
    expect(currenciesOfPolicy("a", unused, undefined)).toBeUndefined();
    expect(currenciesOfPolicy("a", unused, [{ currency: "JPY" }])).toEqual({ currency: "JPY", others: [] });
    expect(currenciesOfPolicy("a", unused, [])).toEqual({ currency: "EUR", others: [] });
  });

  it("are those of its cards, or else that of another policy's cards", () => {
    const policies = [
      { id: "b", currencies: ["USD"] },
      { id: "a", currencies: ["JPY", "GBP"] },
    ];
    expect(currenciesOfPolicy("a", policies, undefined)).toEqual({ currency: "JPY", others: ["GBP"] });
    expect(currenciesOfPolicy("c", policies, undefined)).toEqual({ currency: "USD", others: [] });
  });
});
