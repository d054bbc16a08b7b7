import { isInMerchantCategory, maxPolicyCategories, maxPolicyMerchants } from "@purser/core";
import {
  type DecidedCard,
  type DecidedPolicy,
  type DeclineReason,
  type PurchaseRequest,
  type Spending,
  decidePurchase,
  isListedMerchant,
  type limitReasons,
} from "../../authorizations/rules/decide.ts";
import type { PolicyTerms } from "./terms.ts";

type Terms = Partial<Pick<PolicyTerms, keyof DecidedPolicy>>;

/**
 * Returns the terms to change in a policy so that a purchase passes, with all of their new values: an empty object if it
 * passes already. Null if no policy lets it pass, because the card declines it, because the policy allows only some
 * categories and the merchant's is in none, because its list has no room, or because no exact amount is large enough for a
 * limit.
 */
export function passingTerms(
  purchase: PurchaseRequest,
  card: DecidedCard | null,
  policy: DecidedPolicy,
  spending: Spending,
): Terms | null {
  const changed: Terms = {};
  const removed = new Set<DeclineReason>();
  // A decision names its first reason only, so the next one shows once that is removed.
  for (;;) {
    const terms = { ...policy, ...changed };
    const { reason } = decidePurchase(purchase, card, terms, spending);
    if (reason === null) return changed;
    const change = removed.has(reason) ? null : changes[reason]({ purchase, terms, spending });
    if (change === null) return null;
    removed.add(reason);
    Object.assign(changed, change);
  }
}

interface Declined {
  purchase: PurchaseRequest;
  terms: DecidedPolicy;
  spending: Spending;
}

/** The smallest change of the terms that removes a reason. */
type Change = (declined: Declined) => Terms | null;

const byNoPolicy: Change = () => null;

const raiseLimit: (interval: keyof typeof limitReasons) => Change =
  (interval) =>
  ({ purchase, terms, spending }) => {
    const amount = spending.used[interval] + purchase.amount;
    if (!Number.isSafeInteger(amount)) return null;
    return {
      limits: terms.limits.map((limit) => (limit.interval === interval ? { ...limit, amount } : limit)),
    };
  };

/** The list with one more item; null if it has no room. */
const withItem = (list: readonly string[], item: string, maximum: number): string[] | null =>
  list.length < maximum ? [...list, item] : null;

const changes: Record<DeclineReason, Change> = {
  card_closed: byNoPolicy,
  card_frozen: byNoPolicy,
  card_paused: byNoPolicy,
  card_expired: byNoPolicy,
  currency_not_supported: byNoPolicy,
  policy_not_started: () => ({ activeFrom: null }),
  policy_expired: () => ({ activeTo: null }),
  day_not_allowed: ({ terms, spending }) => ({
    // A policy may name a day twice, and an update takes no more than seven.
    daysOfWeek: [...new Set([...terms.daysOfWeek, spending.dayOfWeek])].toSorted((one, other) => one - other),
  }),
  atm_not_allowed: () => ({ allowAtm: true }),
  online_not_allowed: () => ({ allowOnline: true }),
  international_not_allowed: () => ({ allowInternational: true }),
  merchant_category_not_allowed: ({ purchase: { merchant }, terms }) => {
    if (merchant.category === null) return null;
    const merchantCategories = withItem(terms.merchantCategories, merchant.category, maxPolicyCategories);
    return merchantCategories && { merchantCategories };
  },
  merchant_category_blocked: ({ purchase: { merchant }, terms }) => ({
    blockedMerchantCategories: terms.blockedMerchantCategories.filter(
      (category) => !isInMerchantCategory(merchant.category!, category),
    ),
  }),
  merchant_blocked: ({ purchase: { merchant }, terms }) => ({
    blockedMerchants: terms.blockedMerchants.filter((name) => !isListedMerchant(merchant, [name])),
  }),
  merchant_not_allowed: ({ purchase: { merchant }, terms }) => {
    const allowedMerchants = withItem(terms.allowedMerchants, merchant.name, maxPolicyMerchants);
    return allowedMerchants && { allowedMerchants };
  },
  transaction_limit_exceeded: raiseLimit("PER_TRANSACTION"),
  daily_limit_exceeded: raiseLimit("DAILY"),
  weekly_limit_exceeded: raiseLimit("WEEKLY"),
  monthly_limit_exceeded: raiseLimit("MONTHLY"),
  yearly_limit_exceeded: raiseLimit("YEARLY"),
  all_time_limit_exceeded: raiseLimit("ALL_TIME"),
};
