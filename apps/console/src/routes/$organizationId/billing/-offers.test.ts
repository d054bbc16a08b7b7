import type { BillingPlan } from "@purser/client";
import { describe, expect, it } from "vitest";
import { otherOffers } from "./-offers.ts";

describe("what else there is to subscribe to", () => {
  it("has the other plans, and the other variants of the present one", () => {
    const plan = (id: string, variants: string[]) =>
      ({ id, variants: variants.map((own) => ({ id: own })) }) as BillingPlan;
    const team = plan("team", ["team_monthly", "team_yearly"]);
    const plus = plan("plus", ["plus_monthly"]);
    const own = { planId: "team", variantId: "team_monthly" };
    expect(otherOffers(own, [team, plus])).toEqual([plan("team", ["team_yearly"]), plus]);
    expect(otherOffers({ planId: "plus", variantId: "plus_monthly" }, [team, plus])).toEqual([team]);
  });
});
