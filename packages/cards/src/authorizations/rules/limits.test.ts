import { cardLimitIntervals, type CardLimit, type LimitInterval } from "@purser/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecidedCase, decideOn, reset } from "../../testing/decided-purchase.ts";

const limited = (amount: number, interval: LimitInterval, used: DecidedCase["used"] = {}) => ({
  policy: { limits: [{ amount, interval }] },
  used,
});

describe("decidePurchase, at the edges of a limit", () => {
  it.each([
    ["the whole limit may be spent", limited(100, "DAILY"), "approved", 0, 100],
    ["not one unit more than the limit", limited(99, "DAILY"), "declined", 0, 99],
    ["the rest of the limit may be spent", limited(150, "WEEKLY", { WEEKLY: 50 }), "approved", 50, 100],
    ["not one unit more than the rest", limited(150, "WEEKLY", { WEEKLY: 51 }), "declined", 51, 99],
    ["a limit of 0 allows nothing", limited(0, "MONTHLY"), "declined", 0, 0],
    ["nothing is left of an exceeded limit", limited(100, "MONTHLY", { MONTHLY: 250 }), "declined", 250, 0],
    [
      "a limit per transaction ignores earlier spending",
      limited(100, "PER_TRANSACTION", { DAILY: 900 }),
      "approved",
      0,
      100,
    ],
    [
      "a limit per transaction counts an increment with its purchase",
      limited(150, "PER_TRANSACTION", { PER_TRANSACTION: 60 }),
      "declined",
      60,
      90,
    ],
    [
      "only the limit's own window counts",
      limited(100, "DAILY", { WEEKLY: 900, MONTHLY: 900 }),
      "approved",
      0,
      100,
    ],
  ] satisfies [string, DecidedCase, string, number, number][])(
    "%s",
    (_what, one, outcome, used, remaining) => {
      expect(decideOn(one)).toMatchObject({ outcome, used, remaining, limit: one.policy.limits[0]!.amount });
    },
  );

  it.each(["PER_TRANSACTION", "ALL_TIME"] as const)("never resets a limit %s", (interval) => {
    expect(decideOn(limited(99, interval))).toMatchObject({ interval, resetsAt: null });
  });

  it("approves a purchase of 0 at the limit", () => {
    expect(decideOn({ ...limited(0, "DAILY"), purchase: { amount: 0 } }).outcome).toBe("approved");
  });

  it.each(cardLimitIntervals)("approves a verification of 0 beyond the limit (%s)", (interval) => {
    const one = { ...limited(100, interval, { [interval]: 250 }), purchase: { amount: 0 } };
    expect(decideOn(one)).toMatchObject({ outcome: "approved", used: 250, remaining: 0 });
  });

  it("reports the limit for every outcome and reason", () => {
    const basis = { limit: 500, used: 20, remaining: 480, resetsAt: reset, interval: "DAILY" };
    const one = limited(500, "DAILY", { DAILY: 20 });
    const whole = { requestedAmount: 100, approvedAmount: 100 };
    expect(decideOn(one)).toEqual({ outcome: "approved", reason: null, ...whole, ...basis });
    expect(decideOn({ ...one, card: { status: "FROZEN" } })).toEqual({
      outcome: "declined",
      reason: "card_frozen",
      requestedAmount: 100,
      approvedAmount: 0,
      ...basis,
    });
  });

  it.each([
    ["the first that is exceeded", 100, "daily_limit_exceeded", { interval: "DAILY", remaining: 70 }],
    ["the one that is exceeded", 70, "yearly_limit_exceeded", { interval: "YEARLY", remaining: 65 }],
    ["the one with the least remaining", 65, null, { interval: "YEARLY", remaining: 65 }],
  ])("reports of several limits %s", (_what, amount, reason, basis) => {
    const limits: CardLimit[] = [
      { amount: 500, interval: "PER_TRANSACTION" },
      { amount: 5000, interval: "YEARLY" },
      { amount: 1000, interval: "DAILY" },
    ];
    const used = { DAILY: 930, MONTHLY: 9999, YEARLY: 4935 };
    expect(decideOn({ purchase: { amount }, policy: { limits }, used })).toMatchObject({ reason, ...basis });
  });

  it("approves what fits all limits and nothing more, for any limits", () => {
    const someLimits = fc.uniqueArray(
      fc.record({ amount: fc.nat(500), interval: fc.constantFrom(...cardLimitIntervals) }),
      { selector: ({ interval }) => interval },
    );
    const someUsed = fc.record(
      Object.fromEntries(cardLimitIntervals.map((interval) => [interval, fc.nat(500)])),
    );
    fc.assert(
      fc.property(fc.nat(300), someLimits, someUsed, fc.boolean(), (amount, limits, used, mayBePartial) => {
        const decision = decideOn({ purchase: { amount, mayBePartial }, policy: { limits }, used });
        const left = limits.map((one) => Math.max(0, one.amount - used[one.interval]!));
        const least = Math.min(...left, Infinity);
        const exceeded = limits.filter((_, index) => amount > left[index]!);
        const first = cardLimitIntervals.find((one) => exceeded.some(({ interval }) => interval === one));
        if (first === undefined) {
          expect(decision.approvedAmount).toBe(amount);
          return;
        }
        const isPart = mayBePartial && first !== "PER_TRANSACTION" && least > 0;
        expect(decision.approvedAmount).toBe(isPart ? least : 0);
        expect(decision.outcome).toBe(isPart ? "approved" : "declined");
        if (!isPart) expect(decision.interval).toBe(first);
        else expect(decision.remaining).toBe(least);
      }),
    );
  });

  it("never approves more than the limit, for any purchases in any order", () => {
    const anInterval = fc.constantFrom<LimitInterval>("DAILY", "WEEKLY", "MONTHLY", "YEARLY", "ALL_TIME");
    const amounts = fc.array(fc.nat(300), { maxLength: 30 });
    fc.assert(
      fc.property(fc.nat(2000), anInterval, amounts, (limit, interval, requested) => {
        let spent = 0;
        for (const amount of requested) {
          const one = { ...limited(limit, interval, { [interval]: spent }), purchase: { amount } };
          const isWithin = spent + amount <= limit;
          expect(decideOn(one).outcome).toBe(isWithin ? "approved" : "declined");
          if (isWithin) spent += amount;
        }
        expect(spent).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
