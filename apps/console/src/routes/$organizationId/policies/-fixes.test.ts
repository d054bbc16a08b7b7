import type { CardDecision } from "@purser/client";
import { describe, expect, it } from "vitest";
import { fixesOf } from "./-fixes.ts";
import { type PolicyValues, newPolicyValues } from "./-policy-draft.ts";

const purchase = {
  cardId: "card_1",
  amount: 2650,
  currency: "GBP",
  merchantName: "Bakery Row",
  merchantId: null,
  merchantCategory: "bakeries",
  declineReason: "merchant_category_not_allowed",
};
const decision = (reason: string | null, limit: number | null = null): CardDecision => ({
  outcome: reason === null ? "approved" : "declined",
  reason,
  requestedAmount: 2650,
  approvedAmount: 0,
  limit,
  used: limit === null ? null : 39_700,
  remaining: null,
  resetsAt: null,
  interval: limit === null ? null : "MONTHLY",
});

/** Decides as the service does, which names the first reason only. */
const check = async ({ merchantCategories, limits: [limit] }: PolicyValues): Promise<CardDecision> =>
  !merchantCategories.includes("bakeries")
    ? decision("merchant_category_not_allowed")
    : Number(limit?.amount) < 423.5
      ? decision("monthly_limit_exceeded", 40_000)
      : decision(null);
const basis = { purchase, currency: "GBP", categories: [], today: 1, check };
const values: PolicyValues = {
  ...newPolicyValues,
  merchantCategories: ["computer_software_stores"],
  limits: [{ key: "m", amount: 400, interval: "MONTHLY" }],
};

describe("the changes that let a purchase pass", () => {
  it("are all of them, though a decline names its first reason only", async () => {
    const found = await fixesOf(values, basis);
    expect(found?.fixes).toEqual([
      { kind: "add_category", category: "bakeries" },
      { kind: "limit", interval: "MONTHLY", amount: 42_350 },
    ]);
    expect(found?.values.limits[0]?.amount).toBe(423.5);
  });

  it("are none if the card declines", async () => {
    expect(await fixesOf(values, { ...basis, check: async () => decision("card_closed") })).toBeNull();
  });
});
