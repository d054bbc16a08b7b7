import { type CardLimit, type LimitPair, definedFields, limitPairOf } from "@purser/core";
import type { z } from "zod";
import type { CardPolicy, PolicyDraft } from "../contract.ts";

export type StoredPolicy = z.output<typeof CardPolicy>;

/** The terms of a policy: everything but its name. */
export type PolicyTerms = Omit<StoredPolicy, "id" | "organizationId" | "name">;

/** By default everything is allowed. */
const defaults: PolicyTerms = {
  description: null,
  spendingLimit: null,
  limitInterval: null,
  limits: [],
  allowAtm: true,
  allowOnline: true,
  allowInternational: true,
  merchantCategories: [],
  blockedMerchantCategories: [],
  blockedMerchants: [],
  allowedMerchants: [],
  activeFrom: null,
  activeTo: null,
  daysOfWeek: [],
};

/** The terms of a draft, with the defaults for absent fields. Callers in process may pass these as undefined. */
export function termsOf(draft: Omit<z.output<typeof PolicyDraft>, "name">): PolicyTerms {
  return { ...defaults, ...definedFields(draft), ...limitsAfter(limitsIn(defaults), draft) };
}

/** The limits of a policy in both of their forms. */
interface PolicyLimits extends LimitPair {
  limits: CardLimit[];
}

const limitsIn = ({ spendingLimit, limitInterval, limits }: PolicyLimits): PolicyLimits => ({
  spendingLimit,
  limitInterval,
  limits,
});

/** The limits after a patch. A change of the pair replaces the first limit alone. */
function limitsAfter(before: PolicyLimits, patch: z.output<typeof PolicyDraft>): PolicyLimits {
  const { limits, spendingLimit = before.spendingLimit, limitInterval = before.limitInterval } = patch;
  if (limits !== undefined) {
    // The contract has compared a pair that comes with limits.
    const after = isEqual(limits, before.limits) ? before : { ...limitPairOf(limits), limits };
    return limits.length === 0 && patch.limitInterval !== undefined ? { ...after, limitInterval } : after;
  }
  if (spendingLimit === before.spendingLimit && limitInterval === before.limitInterval) return before;
  if (spendingLimit !== null) {
    const first = { amount: spendingLimit, interval: limitInterval ?? "PER_TRANSACTION" };
    return { spendingLimit, limitInterval, limits: [first, ...before.limits.slice(1)] };
  }
  // A first limit that the pair cannot show is not removed by a pair without a limit.
  const others = before.spendingLimit === null ? before.limits : before.limits.slice(1);
  return others.length === 0
    ? { spendingLimit, limitInterval, limits: [] }
    : { ...limitPairOf(others), limits: others };
}

/** The fields that a patch changes, without absent and equal ones. */
export function policyChanges(
  before: StoredPolicy,
  patch: z.output<typeof PolicyDraft>,
): Partial<StoredPolicy> {
  const after = { ...definedFields(patch), ...limitsAfter(limitsIn(before), patch) };
  const changes = Object.entries(after).filter(
    ([field, value]) => !isEqual(value, before[field as keyof StoredPolicy]),
  );
  return Object.fromEntries(changes);
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether decisions depend on a change. */
export function affectsDecisions({
  name: _name,
  description: _description,
  ...terms
}: Partial<StoredPolicy>) {
  return Object.keys(terms).length > 0;
}
