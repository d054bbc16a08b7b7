import type { BankAccount, CardPolicyListItem } from "@purser/client";

export interface PolicyCurrencies {
  /** The one in which the policy's amounts are shown. */
  currency: string;
  /** Further currencies of the cards that use the policy. Its amounts count in each of them. */
  others: string[];
}

/**
 * A policy has no currency of its own, its amounts are in that of each card. Without a card that uses it, another policy's
 * cards tell, then the organization's first account.
 */
export function currenciesOfPolicy(
  policyId: string | undefined,
  policies: readonly Pick<CardPolicyListItem, "id" | "currencies">[] | undefined,
  accounts: readonly Pick<BankAccount, "currency">[] | undefined,
): PolicyCurrencies | undefined {
  if (policies === undefined) return undefined;
  const [own, ...others] = policies.find(({ id }) => id === policyId)?.currencies ?? [];
  if (own !== undefined) return { currency: own, others };
  const [other] = policies.flatMap(({ currencies }) => currencies);
  if (other !== undefined) return { currency: other, others: [] };
  return accounts && { currency: accounts[0]?.currency ?? "EUR", others: [] };
}
