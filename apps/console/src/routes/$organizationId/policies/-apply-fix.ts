import type { MerchantCategory } from "@purser/client";
import { findCategory } from "../../../data/category-names.ts";
import { decimalsOf } from "../../../data/format.ts";
import type { PolicyFix } from "../../../data/purchase-now.ts";
import type { PolicyValues } from "./-policy-draft.ts";

/** The values of the form after a change that lets a purchase pass. */
export function applyFix(
  values: PolicyValues,
  fix: PolicyFix,
  { currency, categories }: { currency: string; categories: readonly MerchantCategory[] },
): PolicyValues {
  if (fix.kind === "limit") return { ...values, limits: withLimit(values.limits, fix, currency) };
  if (fix.kind === "add_category") {
    // By name where there is one, as the form shows it.
    const category = findCategory(fix.category, categories)?.name ?? fix.category;
    return { ...values, merchantCategories: [...values.merchantCategories, category] };
  }
  if (fix.kind === "unblock_category") {
    const blocks = blocksCategory(fix.category, categories);
    const { blockedMerchantCategories } = values;
    return { ...values, blockedMerchantCategories: blockedMerchantCategories.filter((one) => !blocks(one)) };
  }
  if (fix.kind === "add_merchant")
    return { ...values, allowedMerchants: [...values.allowedMerchants, fix.merchant] };
  if (fix.kind === "unblock_merchant") {
    const names = new Set([fix.merchant, fix.merchantId ?? fix.merchant].map(normalized));
    const blockedMerchants = values.blockedMerchants.filter((one) => !names.has(normalized(one)));
    return { ...values, blockedMerchants };
  }
  if (fix.kind === "allow") return { ...values, [fix.what]: true };
  if (fix.kind === "allow_day") return { ...values, daysOfWeek: [...values.daysOfWeek, String(fix.day)] };
  return fix.kind === "start_now" ? { ...values, firstDay: "" } : { ...values, lastDay: "" };
}

function withLimit(
  limits: PolicyValues["limits"],
  { interval, amount }: Extract<PolicyFix, { kind: "limit" }>,
  currency: string,
): PolicyValues["limits"] {
  const major = amount / 10 ** decimalsOf(currency);
  return limits.map((limit) => (limit.interval === interval ? { ...limit, amount: major } : limit));
}

/** Whether an entry of a policy includes a category: its code, its name, or the name of its kind. */
function blocksCategory(
  category: string,
  categories: readonly MerchantCategory[],
): (entry: string) => boolean {
  const { name, code } = findCategory(category, categories) ?? { name: category, code: category };
  const isItself = category === name || category === code;
  return (entry) => entry === category || entry === name || (isItself && entry === code);
}

/** As the service compares merchants: case and spaces do not matter. */
const normalized = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");
