import type { BankAccount, CardListItem } from "@purser/client";

export interface PolicyCurrencies {
  /** The one in which the policy's amounts are shown. */
  currency: string;
  /** Further currencies of the cards that use the policy. Its amounts count in each of them. */
  others: string[];
}

/**
 * A policy has no currency of its own, its amounts are in that of each card. Without a card that uses it, the
 * organization's first card tells, then its first account.
 */
export function currenciesOfPolicy(
  policyId: string | undefined,
  cards: readonly Pick<CardListItem, "status" | "policy" | "currency">[] | undefined,
  accounts: readonly Pick<BankAccount, "currency">[] | undefined,
): PolicyCurrencies | undefined {
  if (cards === undefined) return undefined;
  const open = cards.filter(({ status }) => status !== "CLOSED");
  const own = open.filter(({ policy }) => policy.id === policyId);
  const [currency, ...others] = new Set((own.length > 0 ? own : open).map((card) => card.currency));
  if (currency !== undefined) return { currency, others: own.length > 0 ? others : [] };
  return accounts && { currency: accounts[0]?.currency ?? "EUR", others: [] };
}
