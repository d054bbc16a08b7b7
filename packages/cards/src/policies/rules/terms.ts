import type { z } from "zod";
import type { CardPolicy, PolicyDraft } from "../contract.ts";

export type Policy = z.output<typeof CardPolicy>;

/** What a policy says beside its name. */
export type Terms = Omit<Policy, "id" | "organizationId" | "name">;

/** What is not restricted is allowed. */
const defaults: Terms = {
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

/** What a policy says that was described by these fields; each may be absent. */
export function termsOf(given: Omit<z.output<typeof PolicyDraft>, "name">): Terms {
  return { ...defaults, ...withoutAbsent(given) };
}

/** What a patch changes: neither what it leaves out, nor what is as it says already. */
export function changesOf(before: Policy, patch: z.output<typeof PolicyDraft>): Partial<Policy> {
  const changes = Object.entries(withoutAbsent(patch)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Policy]),
  );
  return Object.fromEntries(changes);
}

/** Whether a change is one that decisions depend on. */
export function affectsDecisions({ name: _name, description: _description, ...terms }: Partial<Policy>) {
  return Object.keys(terms).length > 0;
}

/** In process an absent field may also be one that is undefined. */
function withoutAbsent<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]: Present<Fields[Field]> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as never;
}

type Present<Value> = Exclude<Value, undefined>;
