import { describe, expect, it } from "vitest";
import { currenciesOfPolicy } from "./card-currency.ts";

const card = (policyId: string, currency: string, status: "ACTIVE" | "CLOSED" = "ACTIVE") => ({
  policy: { id: policyId, name: "", description: null },
  currency,
  status,
});

describe("the currencies of a policy", () => {
  it("are not known before the cards, and without a card before the accounts", () => {
    expect(currenciesOfPolicy("a", undefined, [{ currency: "GBP" }])).toBeUndefined();
    expect(currenciesOfPolicy("a", [], undefined)).toBeUndefined();
    expect(currenciesOfPolicy("a", [card("a", "JPY", "CLOSED")], undefined)).toBeUndefined();
    expect(currenciesOfPolicy("a", [], [{ currency: "JPY" }])).toEqual({ currency: "JPY", others: [] });
    expect(currenciesOfPolicy("a", [], [])).toEqual({ currency: "EUR", others: [] });
  });

  it("are those of its cards, or else that of another card", () => {
    const cards = [card("b", "USD"), card("a", "JPY"), card("a", "GBP"), card("a", "JPY")];
    expect(currenciesOfPolicy("a", cards, undefined)).toEqual({ currency: "JPY", others: ["GBP"] });
    expect(currenciesOfPolicy("c", cards, undefined)).toEqual({ currency: "USD", others: [] });
  });
});
