import type { CardLimit, LimitInterval } from "@purser/core";
import { describe, expect, it } from "vitest";
import { type DecidedCase, at, decideOn } from "../../testing/decided-purchase.ts";
import { type DecidedPolicy, type DeclineReason, type PurchaseRequest, declineReasons } from "./decide.ts";

const justAfter = new Date(at.getTime() + 1);

/** One case per reason, in which only this reason applies. */
const breaches: Record<DeclineReason, DecidedCase> = {
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
  merchant_category_blocked: { policy: { blockedMerchantCategories: ["grocery_stores_supermarkets"] } },
  merchant_blocked: { policy: { blockedMerchants: ["Corner Shop"] } },
  merchant_not_allowed: { policy: { allowedMerchants: ["Bakery Row"] } },
  transaction_limit_exceeded: breached("PER_TRANSACTION"),
  daily_limit_exceeded: breached("DAILY"),
  weekly_limit_exceeded: breached("WEEKLY"),
  monthly_limit_exceeded: breached("MONTHLY"),
  yearly_limit_exceeded: breached("YEARLY"),
  all_time_limit_exceeded: breached("ALL_TIME"),
};

function breached(interval: LimitInterval): DecidedCase {
  return { policy: { limits: [{ amount: 99, interval }] } };
}

/** Reasons that exclude each other: a card has one status, a purchase one channel. */
const exclusive = [/^card_(closed|frozen|paused)/, /^(atm|online)_/];

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
      policy: {
        ...one.policy,
        ...other.policy,
        limits: [...(other.policy?.limits ?? []), ...(one.policy?.limits ?? [])],
      },
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
  const left = (interval: LimitInterval, used: number, more: DecidedCase = partial): DecidedCase => ({
    ...more,
    policy: { limits: [{ amount: 150, interval }], ...more.policy },
    used: { [interval]: used },
  });

  it.each([
    ["what is left of a day", left("DAILY", 100), null, 50],
    ["what is left of a week", left("WEEKLY", 149), null, 1],
    ["what is left of a month", left("MONTHLY", 51), null, 99],
    ["what is left of a year", left("YEARLY", 52), null, 98],
    ["what is left of all time", left("ALL_TIME", 53), null, 97],
    ["the least that is left of several limits", severalLeft(60, 30), null, 30],
    ["nothing, if nothing is left of one limit", severalLeft(60, 0), "daily_limit_exceeded", 0],
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
  ] satisfies [string, DecidedCase, DeclineReason | null, number][])(
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
    ["treats a card of unknown country as domestic", { ...abroad("FR"), card: { country: "ZZ" } }, null],
    ["treats one of an earlier version as domestic", { ...abroad("FR"), card: { country: "" } }, null],
    ["treats the card's country as domestic", { ...abroad("FR"), card: { country: "FR" } }, null],
    ["treats any other country as international", abroad("IE"), "international_not_allowed"],
    ["matches a category by its code", category("5411", "5411"), null],
    ["matches a category by its name", category("5411", "grocery_stores_supermarkets"), null],
    ["matches an airline's own code as an airline", category("3058", "airlines_air_carriers"), null],
    ["refuses a blocked category by its code", blockedCategory("5411", "5411"), "merchant_category_blocked"],
    [
      "refuses an airline's code if airlines are blocked",
      blockedCategory("3058", "airlines_air_carriers"),
      "merchant_category_blocked",
    ],
    ["accepts a category beside a blocked one", blockedCategory("5812", "5411"), null],
    ["accepts a merchant of unknown category beside a blocked one", blockedCategory(null, "5411"), null],
    ["accepts any of several categories", category("5411", "5812", "5411"), null],
    ["refuses a merchant of unknown category", category(null, "5411"), "merchant_category_not_allowed"],
    ["refuses another category", category("5812", "5411"), "merchant_category_not_allowed"],
    ["matches a merchant in any case and spacing", blocked(" corner  SHOP\t"), "merchant_blocked"],
    ["matches a merchant written without spaces", blocked("CornerShop"), "merchant_blocked"],
    ["matches a merchant by its id", blocked("M-1"), "merchant_blocked"],
    ["does not match a part of a name", blocked("Corner"), null],
    ["accepts an allowed merchant by its name", allowed("Bakery Row", " corner SHOP"), null],
    ["accepts an allowed merchant by its id", allowed("m-1"), null],
    ["refuses a merchant that is not among the allowed ones", allowed("Corner"), "merchant_not_allowed"],
    [
      "refuses a blocked merchant, though it is allowed",
      { policy: { allowedMerchants: ["m-1"], blockedMerchants: ["Corner Shop"] } },
      "merchant_blocked",
    ],
    [
      "refuses a merchant of another category, though it is allowed",
      { policy: { allowedMerchants: ["m-1"], merchantCategories: ["5812"] } },
      "merchant_category_not_allowed",
    ],
    ["approves a merchant without an id", { ...blocked("null"), merchant: { id: null } }, null],
  ] satisfies [string, DecidedCase, DeclineReason | null][])("%s", (_what, one, reason) => {
    expect(decideOn(one).reason).toBe(reason);
  });
});

function at_(channel: PurchaseRequest["channel"], policy: Partial<DecidedPolicy>): DecidedCase {
  return { purchase: { channel }, policy };
}

function abroad(country: string | null): DecidedCase {
  return { merchant: { country }, policy: { allowInternational: false } };
}

function category(code: string | null, ...merchantCategories: string[]): DecidedCase {
  return { merchant: { category: code }, policy: { merchantCategories } };
}

function blocked(...blockedMerchants: string[]): DecidedCase {
  return { policy: { blockedMerchants } };
}

function blockedCategory(code: string | null, ...blockedMerchantCategories: string[]): DecidedCase {
  return { merchant: { category: code }, policy: { blockedMerchantCategories } };
}

function allowed(...allowedMerchants: string[]): DecidedCase {
  return { policy: { allowedMerchants } };
}

/** Two limits, of a day and of a year, with so much left. */
function severalLeft(ofDay: number, ofYear: number): DecidedCase {
  const limits: CardLimit[] = [
    { amount: 500, interval: "YEARLY" },
    { amount: 200, interval: "DAILY" },
  ];
  const used = { DAILY: 200 - ofDay, YEARLY: 500 - ofYear };
  return { purchase: { mayBePartial: true }, policy: { limits }, used };
}
