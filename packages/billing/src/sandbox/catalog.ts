import type { Plan, Variant } from "../ports.ts";
import type { Interval } from "./rules/calendar.ts";
import type { SandboxTerms } from "./rules/lifecycle.ts";

/** Only intervals that are longer than the payment retries of one period. */
export interface SandboxVariant extends Variant {
  interval: Interval["interval"];
}

export interface SandboxPlan extends Plan {
  variants: SandboxVariant[];
  /** Days before the first payment; 0 for none. */
  trialDays: number;
  /** The status after the last failed retry. Stripe cancels by default, and an account can choose otherwise. */
  afterDunning: SandboxTerms["afterDunning"];
}

/** The plans on sale. Subscriptions refer to them, so a plan that was ever sold stays in this list. */
export const sandboxPlans: readonly SandboxPlan[] = [
  plan("starter", {
    name: "Starter",
    description: "For small teams: all accounts in one place.",
    monthly: 900,
    yearly: 9000,
  }),
  plan("team", {
    name: "Team",
    description: "Cards with spending policies for the whole team, and any number of bank connections.",
    monthly: 2900,
    yearly: 29_000,
  }),
  plan("business", {
    name: "Business",
    description: "For finance teams: the audit trail, several owners, and phone support.",
    monthly: 9900,
    yearly: 99_000,
    trialDays: 14,
    // A customer of this size gets a call before losing access.
    afterDunning: "unpaid",
  }),
];

/** Finds a plan and one of its variants; null when the plan does not have the variant. */
export function findSandboxOffer(
  planId: string,
  variantId: string,
): { plan: SandboxPlan; variant: SandboxVariant } | null {
  const found = sandboxPlans.find(({ id }) => id === planId);
  const variant = found?.variants.find(({ id }) => id === variantId);
  return found && variant ? { plan: found, variant } : null;
}

/** Finds the plan and variant of an existing subscription or checkout. */
export function requireSandboxOffer({ planId, variantId }: { planId: string; variantId: string }) {
  const offer = findSandboxOffer(planId, variantId);
  if (offer === null) throw new Error(`${planId} with ${variantId} was sold but is not listed`);
  return offer;
}

interface PlanData extends Pick<SandboxPlan, "name" | "description"> {
  /** In pence. */
  monthly: number;
  yearly: number;
  trialDays?: number;
  afterDunning?: SandboxPlan["afterDunning"];
}

function plan(key: string, data: PlanData): SandboxPlan {
  const { name, description, monthly, yearly, trialDays = 0, afterDunning = "canceled" } = data;
  const id = `local_${key}`;
  const trial = { interval: "day", interval_count: trialDays } as const;
  const terms = { currency: "GBP", interval_count: 1, ...(trialDays > 0 && { trial }) };
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
