import { describe, expect, it } from "vitest";
import { type PastPurchase, createReplay } from "./replay.ts";
import { termsOf } from "./terms.ts";

let made = 0;

/** An approved and cleared purchase for 100, on Monday, 2 March 2026 by default. */
function purchase({
  amount = 100,
  ...facts
}: Partial<PastPurchase> & { amount?: number } = {}): PastPurchase {
  made += 1;
  const localDay = facts.localDay ?? "2026-03-02";
  return {
    id: `ctx_${String(made).padStart(4, "0")}`,
    cardId: "card_1",
    cardCountry: "GB",
    currency: "GBP",
    authorized: amount,
    requested: null,
    counted: amount,
    channel: "in_store",
    merchantName: "Shop",
    merchantId: null,
    merchantCategory: "5411",
    merchantCountry: "GB",
    purchasedAt: Date.parse(`${localDay}T12:00:00Z`),
    localDay,
    ...facts,
  };
}

type Draft = Parameters<typeof termsOf>[0];

function play(policy: Draft, purchases: PastPurchase[], partialApprovals = false) {
  const played = createReplay(termsOf(policy), { partialApprovals });
  for (const one of purchases) played.take(one);
  return played.outcome();
}

/** Returns how many of these purchases are declined under this policy. */
const declined = (policy: Draft, purchases: PastPurchase[]) => play(policy, purchases).declined;

const onDays = (...days: string[]) => days.map((localDay) => purchase({ localDay }));

describe("createReplay", () => {
  it("declines nothing under a policy without restrictions", () => {
    const outcome = play({}, [purchase(), purchase({ cardId: "card_2" })]);
    expect(outcome).toEqual({
      evaluated: 2,
      declined: 0,
      partiallyApproved: 0,
      amountDeclined: 0,
      amountsDeclined: [],
      reasons: [],
      newestDeclined: [],
    });
  });

  it.each([
    ["a day", "DAILY", ["2026-03-01", "2026-03-02", "2026-03-02", "2026-03-03"], 1],
    ["a week from Monday", "WEEKLY", ["2026-03-01", "2026-03-02", "2026-03-08", "2026-03-09"], 1],
    ["a month", "MONTHLY", ["2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01"], 1],
    ["a year", "YEARLY", ["2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01"], 1],
    ["all time", "ALL_TIME", ["2019-02-28", "2026-01-01", "2026-12-31", "2027-01-01"], 3],
    ["a purchase", "PER_TRANSACTION", ["2026-03-02", "2026-03-02"], 0],
  ] as const)("counts spending in %s", (_what, interval, days, expected) => {
    expect(declined({ limits: [{ amount: 100, interval }] }, onDays(...days))).toBe(expected);
  });

  it("replays several limits at once, and declines by the first that is exceeded", () => {
    const limits = [
      { amount: 450, interval: "YEARLY" as const },
      { amount: 200, interval: "DAILY" as const },
    ];
    const days = ["01", "01", "01", "02", "02", "03", "03"].map((one) => `2026-03-${one}`);
    const { reasons } = play({ limits }, onDays(...days));
    expect(reasons.map(({ reason, count }) => [reason, count])).toEqual([
      ["yearly_limit_exceeded", 2],
      ["daily_limit_exceeded", 1],
    ]);
  });

  it("takes the day from the organization's calendar, not from the instant", () => {
    const [evening, morning] = [Date.parse("2026-03-01T20:00:00Z"), Date.parse("2026-03-02T08:00:00Z")];
    const purchases = [purchase({ purchasedAt: evening }), purchase({ purchasedAt: morning })];
    expect(declined({ spendingLimit: 100, limitInterval: "DAILY" }, purchases)).toBe(1);
  });

  it("counts each card separately", () => {
    const cards = ["card_1", "card_2", "card_2", "card_3"].map((cardId) => purchase({ cardId }));
    expect(declined({ spendingLimit: 100, limitInterval: "DAILY" }, cards)).toBe(1);
  });

  const hundredADay = { spendingLimit: 100, limitInterval: "DAILY" } as const;

  it.each([
    ["declined purchases, not at all", [purchase({ amount: 101 }), purchase()], 1],
    ["released purchases, not at all", [purchase({ counted: 0 }), purchase()], 0],
    ["clearings below the hold, as cleared", [purchase({ counted: 60 }), purchase({ amount: 40 })], 0],
    [
      "clearings above the hold, as cleared",
      [purchase({ amount: 10, counted: 90 }), purchase({ amount: 11 })],
      1,
    ],
    [
      "purchases without an authorization, as cleared",
      [purchase({ authorized: 0 }), purchase({ amount: 1 })],
      1,
    ],
  ])("counts %s", (_what, purchases, expected) => {
    expect(declined(hundredADay, purchases)).toBe(expected);
  });

  it("decides on the approved amount, not the cleared one", () => {
    expect(declined({ spendingLimit: 99 }, [purchase({ counted: 0 }), purchase({ counted: 50 })])).toBe(2);
    expect(declined({ spendingLimit: 100 }, [purchase({ counted: 900 })])).toBe(0);
  });

  it.each([
    ["in part, where merchant and organization accept it", 150, true, 1, 1],
    ["not in part, where the organization does not", 150, false, 0, 2],
    ["not in part, where the merchant does not", null, true, 0, 2],
  ])("approves what is left %s", (_what, requested, partialApprovals, partiallyApproved, count) => {
    // 40 are left of 100 for the second purchase, and then 0 or, if that is declined, 40 for the third.
    const purchases = [
      purchase({ amount: 60 }),
      purchase({ amount: 120, requested }),
      purchase({ amount: 41 }),
    ];
    expect(play(hundredADay, purchases, partialApprovals)).toMatchObject({
      evaluated: 3,
      partiallyApproved,
      declined: count,
    });
  });

  it("counts a purchase that is approved in part with at most that part", () => {
    const purchases = [
      purchase({ amount: 120, counted: 30, requested: 120 }),
      purchase({ amount: 120, counted: 120, requested: 120, localDay: "2026-03-03" }),
      purchase({ amount: 1, localDay: "2026-03-03" }),
      purchase({ amount: 70 }),
    ];
    expect(play(hundredADay, purchases, true)).toMatchObject({ partiallyApproved: 2, declined: 1 });
  });

  it("cannot decline a clearing without an authorization", () => {
    expect(play({ spendingLimit: 0 }, [purchase({ authorized: 0 })])).toMatchObject({
      evaluated: 0,
      declined: 0,
    });
  });

  it.each([
    [{ daysOfWeek: [1] }, onDays("2026-03-01", "2026-03-02", "2026-03-03"), 2],
    [{ activeFrom: new Date("2026-03-02T12:00:00Z") }, onDays("2026-03-01", "2026-03-02"), 1],
    [{ activeTo: new Date("2026-03-02T12:00:00Z") }, onDays("2026-03-01", "2026-03-02"), 1],
    [
      { allowInternational: false },
      [purchase({ merchantCountry: "FR" }), purchase({ merchantCountry: null })],
      1,
    ],
    [{ allowInternational: false }, [purchase({ merchantCountry: "FR", cardCountry: "FR" })], 0],
    [{ allowOnline: false }, [purchase({ channel: "online" }), purchase({ channel: "atm" })], 1],
    [{ merchantCategories: ["5812"] }, [purchase({ merchantCategory: "5812" }), purchase()], 1],
    [
      { blockedMerchants: ["bad"] },
      [purchase({ merchantId: "BAD" }), purchase({ merchantName: "B a d" })],
      2,
    ],
  ] satisfies [Partial<Draft>, PastPurchase[], number][])("applies %j", (policy, purchases, expected) => {
    expect(declined(policy, purchases)).toBe(expected);
  });

  it("sums declined purchases by reason, the most frequent first", () => {
    const outcome = play({ daysOfWeek: [1], allowAtm: false, spendingLimit: 100 }, [
      purchase({ amount: 500 }),
      purchase({ channel: "atm", amount: 30 }),
      purchase({ channel: "atm", amount: 900 }),
      ...onDays("2026-03-03", "2026-03-04", "2026-03-09"),
    ]);
    expect(outcome).toMatchObject({
      evaluated: 6,
      declined: 5,
      amountDeclined: 1630,
      reasons: [
        {
          reason: "day_not_allowed",
          count: 2,
          amount: 200,
          amounts: [{ currency: "GBP", amount: 200 }],
        },
        {
          reason: "atm_not_allowed",
          count: 2,
          amount: 930,
        },
        {
          reason: "transaction_limit_exceeded",
          count: 1,
          amount: 500,
        },
      ],
    });
  });

  it("sums each currency, and all of them", () => {
    const { amountDeclined, amountsDeclined, reasons } = play({ spendingLimit: 100, allowAtm: false }, [
      purchase({ amount: 500 }),
      purchase({ amount: 300, cardId: "card_2", currency: "EUR" }),
      purchase({ amount: 200, cardId: "card_2", currency: "EUR" }),
      purchase({ amount: 7, cardId: "card_3", currency: "JPY", channel: "atm" }),
    ]);
    const [eur, gbp, jpy] = [
      { currency: "EUR", amount: 500 },
      { currency: "GBP", amount: 500 },
      { currency: "JPY", amount: 7 },
    ];
    expect({ amountDeclined, amountsDeclined }).toEqual({
      amountDeclined: 1007,
      amountsDeclined: [eur, gbp, jpy],
    });
    expect(reasons).toEqual([
      { reason: "transaction_limit_exceeded", count: 3, amount: 1000, amounts: [eur, gbp] },
      { reason: "atm_not_allowed", count: 1, amount: 7, amounts: [jpy] },
    ]);
  });

  it("keeps the newest twenty declined purchases, in any order of input", () => {
    const purchases = Array.from({ length: 50 }, (_, index) =>
      purchase({ id: `ctx_${String((index * 37) % 50).padStart(2, "0")}` }),
    );
    const { newestDeclined } = play({ spendingLimit: 0 }, purchases);
    expect(newestDeclined).toEqual(Array.from({ length: 20 }, (_, index) => `ctx_${49 - index}`));
  });

  it("saturates sums at the largest safe integer", () => {
    const huge = () => purchase({ amount: Number.MAX_SAFE_INTEGER });
    expect(play({ spendingLimit: 0 }, [huge(), huge()]).amountDeclined).toBe(Number.MAX_SAFE_INTEGER);
  });
});
