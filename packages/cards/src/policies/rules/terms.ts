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
  allowAtm: true,
  allowOnline: true,
  allowInternational: true,
  merchantCategories: [],
  blockedMerchants: [],
  activeFrom: null,
  activeTo: null,
  daysOfWeek: [],
};

/** The terms of a draft, with the defaults for absent fields. */
export function termsOf(draft: Omit<z.output<typeof PolicyDraft>, "name">): PolicyTerms {
  return { ...defaults, ...withoutAbsent(draft) };
}

/** The fields that a patch changes, without absent and equal ones. */
export function policyChanges(
  before: StoredPolicy,
  patch: z.output<typeof PolicyDraft>,
): Partial<StoredPolicy> {
  const changes = Object.entries(withoutAbsent(patch)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof StoredPolicy]),
  );
  return Object.fromEntries(changes);
}

/** Whether decisions depend on a change. */
export function affectsDecisions({
  name: _name,
  description: _description,
  ...terms
}: Partial<StoredPolicy>) {
  return Object.keys(terms).length > 0;
}

/** Callers in process may pass absent fields as undefined. */
function withoutAbsent<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]: Present<Fields[Field]> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as never;
}

type Present<Value> = Exclude<Value, undefined>;
