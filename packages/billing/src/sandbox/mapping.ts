import type { SubscriptionState, SubscriptionStatus } from "../ports.ts";
import { requireSandboxOffer } from "./catalog.ts";
import type { SandboxCard } from "./rules/cards.ts";
import type { SandboxState, SandboxStatus, SandboxTerms } from "./rules/lifecycle.ts";

/** A stored subscription with its card and state. */
export interface SandboxSubscription {
  organizationId: string;
  id: string;
  planId: string;
  variantId: string;
  card: SandboxCard;
  state: SandboxState;
}

const statuses: Record<SandboxStatus, SubscriptionStatus> = {
  trialing: "ACTIVE",
  active: "ACTIVE",
  past_due: "PAST_DUE",
  unpaid: "UNPAID",
  incomplete: "INCOMPLETE",
  canceled: "CANCELED",
};

/** Translates a subscription to the port's type. */
export function toSubscriptionState({
  organizationId,
  id,
  planId,
  variantId,
  state,
}: SandboxSubscription): SubscriptionState {
  return {
    id,
    customerId: sandboxCustomerId(organizationId),
    organizationId,
    status: statuses[state.status],
    rawStatus: state.status,
    planId,
    variantId,
    currentPeriodStart: state.currentPeriodStart,
    currentPeriodEnd: state.currentPeriodEnd,
    isTrial: state.status === "trialing",
    canceledAt: state.canceledAt,
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    cancelAt: state.cancelAtPeriodEnd ? state.currentPeriodEnd : null,
  };
}

/** An organization is one customer. The customer's id derives from the organization's. */
export function sandboxCustomerId(organizationId: string): string {
  return `cus_${organizationId.slice(organizationId.indexOf("_") + 1)}`;
}

/** Returns the price of a subscription and the behavior of its card. */
export function sandboxTerms({
  card,
  ...sold
}: Pick<SandboxSubscription, "planId" | "variantId" | "card">): SandboxTerms {
  const { plan, variant } = requireSandboxOffer(sold);
  return { ...variant, afterDunning: plan.afterDunning, behavior: card.behavior };
}
