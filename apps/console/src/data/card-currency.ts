import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "./organization.ts";
import { type PolicyCurrencies, currenciesOfPolicy } from "./policy-currencies.ts";
import { queries } from "./purser.ts";

/** The currencies of a policy, or of a new one. Undefined until they are known: amounts depend on their decimals. */
export function usePolicyCurrencies(policyId?: string): PolicyCurrencies | undefined {
  const { organizationId } = useOrganization();
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId: organizationId }));
  return currenciesOfPolicy(
    policyId,
    // A list that failed tells nothing, and never will.
    cards.isError ? [] : cards.data,
    accounts.isError ? [] : accounts.data,
  );
}
