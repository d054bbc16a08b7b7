import { cardLimitIntervals } from "@purser/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termsOf } from "../../policies/rules/terms.ts";
import {
  type DecidedCard,
  type DecidedPolicy,
  type DeclineReason,
  type LimitInterval,
  type PurchaseRequest,
  type Spending,
  decidePurchase,
  declineReasons,
} from "./decide.ts";
import type { CalendarInterval } from "./windows.ts";

interface Case {
  purchase?: Partial<Omit<PurchaseRequest, "merchant">>;
  merchant?: Partial<PurchaseRequest["merchant"]>;
  card?: Partial<DecidedCard>;
  policy?: Partial<DecidedPolicy>;
  dayOfWeek?: number;
  used?: Partial<Spending["used"]>;
}

const at = new Date("2026-03-02T09:00:00.000Z");
const justAfter = new Date(at.getTime() + 1);
const reset = new Date("2026-03-09T00:00:00.000Z");

/** Decides on a purchase that passes, except for the changes of the case. */
function decideOn(one: Case, withCard = true) {
  const merchant = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB", ...one.merchant };
  const purchase = { amount: 100, currency: "GBP", channel: "in_store", at, ...one.purchase } as const;
  const card: DecidedCard = {
    status: "ACTIVE",
    currency: "GBP",
    country: "GB",
    expiryMonth: 12,
    expiryYear: 2029,
    ...one.card,
  };
  const policy = { ...termsOf({}), ...one.policy };
  const used = { PER_TRANSACTION: 0, DAILY: 0, WEEKLY: 0, MONTHLY: 0, ...one.used };
  const resetsAt = (interval: LimitInterval) => (interval === "PER_TRANSACTION" ? null : reset);
  const spending = { month: "2026-03-01", dayOfWeek: one.dayOfWeek ?? 1, used, resetsAt };
  return decidePurchase({ ...purchase, merchant }, withCard ? card : null, policy, spending);
}

/** One case per reason, in which only this reason applies. */
const breaches: Record<DeclineReason, Case> = {
  card_closed: { card: { status: "CLOSED" } },
  card_frozen: { card: { status: "FROZEN" } },
  card_paused: { card: { status: "PAUSED" } },
  card_expired: { card: { expiryMonth: 2, expiryYear: 2026 } },
  currency_not_supported: { purchase: { currency: "EUR" } },
  policy_not_started: { policy: { activeFrom: justAfter } },
  policy_expired: { policy: { activeTo: at } },
  day_not_allowed: { policy: { daysOfWeek: [0, 2, 3, 4, 5, 6] } },
  atm_not_allowed: { purchase: { channel: "atm" }, policy: { allowAtm: false } },
  online_not_allowed: { purchase: { channel: "online" }, policy: { allowOnline: false } },
  international_not_allowed: { merchant: { country: "FR" }, policy: { allowInternational: false } },
  merchant_category_not_allowed: { policy: { merchantCategories: ["5812"] } },
  merchant_blocked: { policy: { blockedMerchants: ["Corner Shop"] } },
  transaction_limit_exceeded: { policy: { spendingLimit: 99, limitInterval: "PER_TRANSACTION" } },
  daily_limit_exceeded: { policy: { spendingLimit: 99, limitInterval: "DAILY" } },
  weekly_limit_exceeded: { policy: { spendingLimit: 99, limitInterval: "WEEKLY" } },
  monthly_limit_exceeded: { policy: { spendingLimit: 99, limitInterval: "MONTHLY" } },
};

/** Reasons that exclude each other: a card has one status, a purchase one channel, a policy one limit. */
const exclusive = [/^card_(closed|frozen|paused)/, /^(atm|online)_/, /_limit_exceeded$/];

const pairs = declineReasons
  .flatMap((first, index) => declineReasons.slice(index + 1).map((second) => [first, second] as const))
  .filter((pair) => !exclusive.some((kind) => pair.every((reason) => kind.test(reason))));

describe("decidePurchase", () => {
  it("approves if no reason applies", () => {
    const nothing = { limit: null, used: null, remaining: null, resetsAt: null, interval: null };
    const whole = { requestedAmount: 100, approvedAmount: 100 };
    expect(decideOn({})).toEqual({ outcome: "approved", reason: null, ...whole, ...nothing });
  });

  it.each(declineReasons)("declines for %s", (reason) => {
    expect(decideOn(breaches[reason])).toMatchObject({ outcome: "declined", reason });
  });

  it.each(pairs)("prefers %s to %s", (first, second) => {
    const [one, other] = [breaches[first], breaches[second]];
    const both = {
      purchase: { ...one.purchase, ...other.purchase },
      merchant: { ...one.merchant, ...other.merchant },
      card: { ...one.card, ...other.card },
      policy: { ...one.policy, ...other.policy },
    };
    expect(decideOn(both).reason).toBe(first);
  });

  it("applies no card rule without a card", () => {
    const ofCards = declineReasons.filter((reason) => /^(card|currency|international)_/.test(reason));
    expect(ofCards).toHaveLength(6);
    for (const reason of declineReasons) {
      expect(decideOn(breaches[reason], false).reason).toBe(ofCards.includes(reason) ? null : reason);
    }
  });
});

describe("decidePurchase, in part", () => {
  const partial = { purchase: { mayBePartial: true } };
  const left = (limitInterval: LimitInterval, used: number, more: Case = partial): Case => ({
    ...more,
    policy: { spendingLimit: 150, limitInterval, ...more.policy },
    used: { [limitInterval]: used },
  });

  it.each([
    ["what is left of a day", left("DAILY", 100), null, 50],
    ["what is left of a week", left("WEEKLY", 149), null, 1],
    ["what is left of a month", left("MONTHLY", 51), null, 99],
    ["the whole, if it fits", left("DAILY", 50), null, 100],
    ["nothing, if nothing is left", left("DAILY", 150), "daily_limit_exceeded", 0],
    ["nothing, if more than the limit is spent", left("DAILY", 900), "daily_limit_exceeded", 0],
    ["nothing without consent", left("DAILY", 100, {}), "daily_limit_exceeded", 0],
    ["nothing of a limit per transaction", left("PER_TRANSACTION", 100), "transaction_limit_exceeded", 0],
    [
      "nothing on a paused card",
      left("DAILY", 100, { ...partial, card: { status: "PAUSED" } }),
      "card_paused",
      0,
    ],
    [
      "nothing at a blocked merchant",
      left("DAILY", 100, { ...partial, ...blocked("Corner Shop") }),
      "merchant_blocked",
      0,
    ],
  ] satisfies [string, Case, DeclineReason | null, number][])(
    "approves %s",
    (_what, one, reason, approved) => {
      expect(decideOn(one)).toMatchObject({
        outcome: reason === null ? "approved" : "declined",
        reason,
        requestedAmount: 100,
        approvedAmount: approved,
      });
    },
  );
});

describe("decidePurchase, at the edges of a policy", () => {
  it.each([
    ["begins with activeFrom", { policy: { activeFrom: at } }, null],
    ["is in force just before activeTo", { policy: { activeTo: justAfter } }, null],
    ["has ended at activeTo", { policy: { activeTo: at } }, "policy_expired"],
    ["accepts a card in its last month", { card: { expiryMonth: 3, expiryYear: 2026 } }, null],
    ["refuses a card of last year", { card: { expiryMonth: 12, expiryYear: 2025 } }, "card_expired"],
    ["is open on a day that it names", { policy: { daysOfWeek: [1, 1] } }, null],
    ["counts Sunday as 0", { policy: { daysOfWeek: [0] }, dayOfWeek: 0 }, null],
    ["allows ATM withdrawals when online is off", at_("atm", { allowOnline: false }), null],
    ["allows shops when both are off", at_("in_store", { allowAtm: false, allowOnline: false }), null],
    ["treats an unknown country as domestic", abroad(null), null],
    ["treats the card's country as domestic", { ...abroad("FR"), card: { country: "FR" } }, null],
    ["treats any other country as international", abroad("IE"), "international_not_allowed"],
    ["matches a category by its code", category("5411", "5411"), null],
    ["matches a category by its name", category("5411", "grocery_stores_supermarkets"), null],
    ["matches an airline's own code as an airline", category("3058", "airlines_air_carriers"), null],
    ["accepts any of several categories", category("5411", "5812", "5411"), null],
    ["refuses a merchant of unknown category", category(null, "5411"), "merchant_category_not_allowed"],
    ["refuses another category", category("5812", "5411"), "merchant_category_not_allowed"],
    ["matches a merchant in any case and spacing", blocked(" corner  SHOP\t"), "merchant_blocked"],
    ["matches a merchant written without spaces", blocked("CornerShop"), "merchant_blocked"],
    ["matches a merchant by its id", blocked("M-1"), "merchant_blocked"],
    ["does not match a part of a name", blocked("Corner"), null],
    ["approves a merchant without an id", { ...blocked("null"), merchant: { id: null } }, null],
  ] satisfies [string, Case, DeclineReason | null][])("%s", (_what, one, reason) => {
    expect(decideOn(one).reason).toBe(reason);
  });
});

function at_(channel: PurchaseRequest["channel"], policy: Partial<DecidedPolicy>): Case {
  return { purchase: { channel }, policy };
}

function abroad(country: string | null): Case {
  return { merchant: { country }, policy: { allowInternational: false } };
}

function category(code: string | null, ...merchantCategories: string[]): Case {
  return { merchant: { category: code }, policy: { merchantCategories } };
}

function blocked(...blockedMerchants: string[]): Case {
  return { policy: { blockedMerchants } };
}

const limited = (
  spendingLimit: number | null,
  limitInterval: LimitInterval | null,
  used: Case["used"] = {},
) => ({
  policy: { spendingLimit, limitInterval },
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
  ] satisfies [string, Case, string, number, number][])("%s", (_what, one, outcome, used, remaining) => {
    expect(decideOn(one)).toMatchObject({ outcome, used, remaining, limit: one.policy.spendingLimit });
  });

  it("applies a limit without an interval per transaction", () => {
    const decision = decideOn(limited(99, null));
    expect(decision).toMatchObject({ reason: "transaction_limit_exceeded", interval: "PER_TRANSACTION" });
    expect(decision.resetsAt).toBeNull();
  });

  it("applies no limit for an interval alone", () => {
    expect(decideOn(limited(null, "DAILY", { DAILY: 1e9 }))).toEqual(decideOn({}));
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
    expect(decideOn({ ...one, ...breaches.card_frozen })).toEqual({
      outcome: "declined",
      reason: "card_frozen",
      requestedAmount: 100,
      approvedAmount: 0,
      ...basis,
    });
  });

  it("never approves more than the limit, for any purchases in any order", () => {
    const anInterval = fc.constantFrom<CalendarInterval>("DAILY", "WEEKLY", "MONTHLY");
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
