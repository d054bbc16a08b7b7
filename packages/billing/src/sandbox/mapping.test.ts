import { describe, expect, it } from "vitest";
import { sandboxPlans } from "./catalog.ts";
import { sandboxCustomerId, sandboxTerms, toSubscriptionState } from "./mapping.ts";
import { testCard } from "./rules/cards.ts";
import { type SandboxStatus, startSubscription } from "./rules/lifecycle.ts";

const now = new Date("2026-03-02T09:00:00.000Z");
const card = testCard("succeeds", now);
const sold = {
  organizationId: "org_1",
  id: "sub_1",
  planId: "local_team",
  variantId: "local_team_monthly",
  card,
};
const { state } = startSubscription(sandboxTerms(sold), 0, now);

describe("the status of a subscription", () => {
  it.each([
    ["trialing", "ACTIVE"],
    ["active", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["unpaid", "UNPAID"],
    ["incomplete", "INCOMPLETE"],
    ["canceled", "CANCELED"],
  ] satisfies [SandboxStatus, string][])("%s is %s", (rawStatus, status) => {
    const mapped = toSubscriptionState({ ...sold, state: { ...state, status: rawStatus } });
    expect(mapped).toMatchObject({ status, rawStatus, isTrial: rawStatus === "trialing" });
  });
});

describe("the catalog", () => {
  it("has a unique id per plan and variant, and whole prices in one currency", () => {
    const variants = sandboxPlans.flatMap(({ variants: some }) => some);
    expect(new Set([...sandboxPlans, ...variants].map(({ id }) => id)).size).toBe(9);
    for (const { price, currency } of variants)
      expect([Number.isInteger(price), currency]).toEqual([true, "GBP"]);
  });

  it("returns the terms of a subscription", () => {
    const terms = { price: 2900, currency: "GBP", interval: "month", interval_count: 1 };
    expect(sandboxTerms(sold)).toMatchObject({ ...terms, behavior: "succeeds", afterDunning: "canceled" });
    expect(() => sandboxTerms({ ...sold, planId: "local_starter" })).toThrow("not listed");
  });
});

describe("the id of a customer", () => {
  it("derives from the organization's", () => {
    expect(sandboxCustomerId("org_01h2xcejqtf2nbrexx3vqjhp41")).toBe("cus_01h2xcejqtf2nbrexx3vqjhp41");
  });
});
