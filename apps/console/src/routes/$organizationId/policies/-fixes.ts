import type { CardDecision, MerchantCategory } from "@purser/client";
import { type DeclinedPurchase, type PolicyFix, fixOf } from "../../../data/purchase-now.ts";
import { applyFix } from "./-apply-fix.ts";
import type { PolicyValues } from "./-policy-draft.ts";

/** All changes that let a purchase pass, and the form after them. */
export interface Fixes {
  fixes: readonly PolicyFix[];
  values: PolicyValues;
}

interface Basis {
  purchase: DeclinedPurchase;
  currency: string;
  categories: readonly MerchantCategory[];
  /** The day of the week: 0 is Sunday. */
  today: number;
  check: (values: PolicyValues) => Promise<CardDecision>;
}

/** As many rules as can decline one purchase, one after the other. */
const mostFixes = 12;

/**
 * A decline names its first reason only, so each change is checked, until the purchase passes. Null if no change of the
 * policy lets it pass.
 */
export async function fixesOf(
  values: PolicyValues,
  basis: Basis,
  before: readonly PolicyFix[] = [],
): Promise<Fixes | null> {
  const decision = await basis.check(values);
  if (decision.outcome === "approved") return { fixes: before, values };
  const fix = fixOf(decision, basis.purchase, basis.today);
  if (fix === null || before.length === mostFixes) return null;
  return fixesOf(applyFix(values, fix, basis), basis, [...before, fix]);
}
