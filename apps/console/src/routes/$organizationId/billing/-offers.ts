import type { BillingPlan, Subscription } from "@purser/client";

/** What else there is to subscribe to: the other plans, and the present plan at other prices and intervals. */
export const otherOffers = (
  { planId, variantId }: Pick<Subscription, "planId" | "variantId">,
  plans: readonly BillingPlan[],
): BillingPlan[] =>
  plans
    .map((plan) =>
      plan.id === planId ? { ...plan, variants: plan.variants.filter(({ id }) => id !== variantId) } : plan,
    )
    .filter(({ variants }) => variants.length > 0);
