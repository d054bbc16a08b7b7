import type { Plan, Variant } from "../ports.ts";
import type { SandboxTerms } from "./rules/lifecycle.ts";

/** A way to pay that fits this provider's calendar: no period is shorter than the tries to collect for it. */
export interface SandboxVariant extends Variant {
  interval: "month" | "year";
}

export interface SandboxPlan extends Plan {
  variants: SandboxVariant[];
  /** Days before the first payment; 0 for none. */
  trialDays: number;
  /** What follows when collecting is given up. At Stripe an account cancels, unless it is set to do otherwise. */
  afterDunning: SandboxTerms["afterDunning"];
}

/** What is on sale. Subscriptions refer to it for as long as they last: what was sold once stays in this list. */
export const sandboxPlans: readonly SandboxPlan[] = [
  plan("starter", {
    name: "Starter",
    description: "For a small team that wants to see all its accounts in one place.",
    monthly: 900,
    yearly: 9000,
  }),
  plan("team", {
    name: "Team",
    description: "Cards with spending policies for everybody, and as many banks as you have.",
    monthly: 2900,
    yearly: 29_000,
  }),
  plan("business", {
    name: "Business",
    description:
      "For finance teams: the audit trail, several owners, and a person to call. The first 14 days are free.",
    monthly: 9900,
    yearly: 99_000,
    trialDays: 14,
    // Whoever pays this much is called before they are cut off.
    afterDunning: "unpaid",
  }),
];

/** A plan with one of its variants, or null where they are not on sale together. */
export function findSandboxOffer(
  planId: string,
  variantId: string,
): { plan: SandboxPlan; variant: SandboxVariant } | null {
  const found = sandboxPlans.find(({ id }) => id === planId);
  const variant = found?.variants.find(({ id }) => id === variantId);
  return found && variant ? { plan: found, variant } : null;
}

/** The plan and variant that something was sold under. */
export function requireSandboxOffer({ planId, variantId }: { planId: string; variantId: string }) {
  const offer = findSandboxOffer(planId, variantId);
  if (offer === null) throw new Error(`${planId} with ${variantId} was sold, and is not listed any more`);
  return offer;
}

interface PlanData extends Pick<SandboxPlan, "name" | "description"> {
  /** In pence. */
  monthly: number;
  yearly: number;
  trialDays?: number;
  afterDunning?: SandboxPlan["afterDunning"];
}

function plan(key: string, facts: PlanData): SandboxPlan {
  const { name, description, monthly, yearly, trialDays = 0, afterDunning = "canceled" } = facts;
  const id = `local_${key}`;
  const terms = { currency: "GBP", interval_count: 1 };
  return {
    id,
    name,
    description,
    storeId: null,
    variants: [
      { id: `${id}_monthly`, price: monthly, interval: "month", ...terms },
      { id: `${id}_yearly`, price: yearly, interval: "year", ...terms },
    ],
    trialDays,
    afterDunning,
  };
}
