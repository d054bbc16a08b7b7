import type { SubscriptionState, SubscriptionStatus } from "../ports.ts";
import { soldOffer } from "./catalog.ts";
import type { Card } from "./rules/cards.ts";
import type { SandboxState, RawStatus, Terms } from "./rules/lifecycle.ts";

/** A subscription with everything that belongs to it. */
export interface LocalSubscription {
  organizationId: string;
  id: string;
  planId: string;
  variantId: string;
  card: Card;
  life: SandboxState;
}

const statuses: Record<RawStatus, SubscriptionStatus> = {
  trialing: "ACTIVE",
  active: "ACTIVE",
  past_due: "PAST_DUE",
  unpaid: "UNPAID",
  incomplete: "INCOMPLETE",
  canceled: "CANCELED",
};

/** The subscription as the port tells of it. */
export function stateOf({
  organizationId,
  id,
  planId,
  variantId,
  life,
}: LocalSubscription): SubscriptionState {
  return {
    id,
    customerId: customerIdOf(organizationId),
    organizationId,
    status: statuses[life.status],
    rawStatus: life.status,
    planId,
    variantId,
    currentPeriodStart: life.currentPeriodStart,
    currentPeriodEnd: life.currentPeriodEnd,
    canceledAt: life.canceledAt,
    cancelAtPeriodEnd: life.cancelAtPeriodEnd,
  };
}

/** A team is one customer, whose id follows from its own. */
export function customerIdOf(organizationId: string): string {
  return `cus_${organizationId.slice(organizationId.indexOf("_") + 1)}`;
}

/** What a subscription was sold for, and how its card behaves. */
export function termsOf({ card, ...sold }: Pick<LocalSubscription, "planId" | "variantId" | "card">): Terms {
  const { plan, variant } = soldOffer(sold);
  return { ...variant, afterDunning: plan.afterDunning, behavior: card.behavior };
}
