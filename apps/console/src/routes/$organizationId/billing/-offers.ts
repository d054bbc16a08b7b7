import type { BillingPlan, Subscription } from "@purser/client";

/**
 * Whether an organization with this subscription has what it pays for, and so cannot buy another one. One that has ended,
 * or was never paid, stays on record, and a new one replaces it.
 */
export const isLiveSubscription = (subscription: Subscription | null): boolean =>
  subscription !== null && subscription.status !== "CANCELED" && subscription.status !== "INCOMPLETE";

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
