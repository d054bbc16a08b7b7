import { describe, expect, it } from "vitest";
import { newCardValues, policyOfRules, problemOfStep } from "./-new-card.ts";

const shop = {
  ...newCardValues("shop", "usr_1"),
  assignedToId: "usr_1",
  currency: "JPY",
  shop: " Book Shop ",
};

describe("a new card", () => {
  it("needs a holder and an account, then rules", () => {
    expect(problemOfStep(0, newCardValues("shop", "usr_1"))).toHaveProperty("assignedToId");
    expect(problemOfStep(0, shop)).toEqual({ fundingAccountId: "Choose the account that pays" });
    expect(problemOfStep(1, { ...shop, rules: "policy" })).toHaveProperty("policyId");
    expect(problemOfStep(1, { ...shop, rules: "limits" })).toHaveProperty("amount");
    expect(problemOfStep(1, { ...shop, amount: "-1" })).toHaveProperty("amount");
    expect(problemOfStep(1, shop)).toBeNull();
  });

  it("for one shop allows that merchant alone, with a limit if there is one, in the currency's own decimals", () => {
    expect(policyOfRules(shop)).toEqual({
      name: "Only Book Shop",
      limits: [],
      allowedMerchants: ["Book Shop"],
    });
    expect(policyOfRules({ ...shop, amount: 5000, interval: "DAILY" })).toEqual({
      name: "Only Book Shop, ¥5,000 a day",
      limits: [{ amount: 5000, interval: "DAILY" }],
      allowedMerchants: ["Book Shop"],
    });
    expect(policyOfRules({ ...shop, rules: "policy" })).toBeNull();
  });
});
