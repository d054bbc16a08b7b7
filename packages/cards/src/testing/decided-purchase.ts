import type { LimitInterval } from "@purser/core";
import {
  type DecidedCard,
  type DecidedPolicy,
  type PurchaseRequest,
  decidePurchase,
} from "../authorizations/rules/decide.ts";
import type { LimitUse } from "../authorizations/rules/decide.ts";
import { termsOf } from "../policies/rules/terms.ts";

/** A purchase, differing in this from one that passes. */
export interface DecidedCase {
  purchase?: Partial<Omit<PurchaseRequest, "merchant">>;
  merchant?: Partial<PurchaseRequest["merchant"]>;
  card?: Partial<DecidedCard>;
  policy?: Partial<DecidedPolicy>;
  dayOfWeek?: number;
  used?: Partial<LimitUse["used"]>;
}

export const at = new Date("2026-03-02T09:00:00.000Z");
export const reset = new Date("2026-03-09T00:00:00.000Z");

/** Decides on a purchase that passes, except for the changes of the case. */
export function decideOn(one: DecidedCase, withCard = true) {
  const merchant = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB", ...one.merchant };
  const purchase = { amount: 100, currency: "GBP", channel: "in_store", at, ...one.purchase } as const;
  const card: DecidedCard = {
    status: "ACTIVE",
    currency: "GBP",
    country: "GB",
    expiryMonth: 12,
    expiryYear: 2029,
    ...one.card,
  };
  const policy = { ...termsOf({}), ...one.policy };
  const none = { PER_TRANSACTION: 0, DAILY: 0, WEEKLY: 0, MONTHLY: 0, YEARLY: 0, ALL_TIME: 0 };
  const used = { ...none, ...one.used };
  const resetsAt = (interval: LimitInterval) =>
    interval === "PER_TRANSACTION" || interval === "ALL_TIME" ? null : reset;
  const spending = { month: "2026-03-01", dayOfWeek: one.dayOfWeek ?? 1, used, resetsAt };
  return decidePurchase({ ...purchase, merchant }, withCard ? card : null, policy, spending);
}
