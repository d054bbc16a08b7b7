import type { CardPolicyBacktest } from "@purser/client";
import { describe, expect, it } from "vitest";
import { sumOfBacktests } from "./-backtest-of-cards.ts";

const gbp = (amount: number) => [{ currency: "GBP", amount }];
const outcome = (evaluated: number, declined: number, amount: number): CardPolicyBacktest => ({
  evaluated,
  approved: evaluated - declined,
  declined,
  partiallyApproved: 0,
  amountDeclined: amount,
  amountsDeclined: gbp(amount),
  reasons: [{ reason: "atm_not_allowed", count: declined, amount, amounts: gbp(amount) }],
  samples: [],
});

describe("the backtest of several cards", () => {
  it("adds up what it has of each", () => {
    const euros = {
      ...outcome(2, 1, 900),
      amountsDeclined: [{ currency: "EUR", amount: 900 }],
      reasons: [
        { reason: "day_not_allowed", count: 1, amount: 900, amounts: [{ currency: "EUR", amount: 900 }] },
      ],
    };
    expect(sumOfBacktests([outcome(10, 2, 300), outcome(5, 1, 100), euros])).toEqual({
      ...outcome(17, 4, 1300),
      amountsDeclined: [{ currency: "EUR", amount: 900 }, ...gbp(400)],
      reasons: [{ reason: "atm_not_allowed", count: 3, amount: 400, amounts: gbp(400) }, euros.reasons[0]],
    });
  });
});
