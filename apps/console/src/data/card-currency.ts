import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "./organization.ts";
import { queries } from "./purser.ts";

/**
 * The currency in which amounts of a policy are shown: a policy has none of its own, its amounts are in that of each
 * card. Without a card that uses it, the organization's first card tells, then its first account.
 */
export function usePolicyCurrencies(policyId?: string): { currency: string; others: string[] } {
  const { organizationId } = useOrganization();
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId: organizationId }));
  const open = cards.data?.filter(({ status }) => status !== "CLOSED") ?? [];
  const own = open.filter(({ policy }) => policy.id === policyId);
  const found = new Set((own.length > 0 ? own : open).map(({ currency }) => currency));
  const [currency = accounts.data?.[0]?.currency ?? "EUR", ...others] = found;
  return { currency, others: own.length > 0 ? others : [] };
}
