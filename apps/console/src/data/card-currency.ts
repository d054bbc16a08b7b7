import { useQuery } from "@tanstack/react-query";
import { failedQuery } from "./failed-query.ts";
import { allAccounts, allPolicies } from "./lists.ts";
import { useOrganization } from "./organization.ts";
import { currenciesOfPolicy } from "./policy-currencies.ts";

/**
 * The currencies of a policy, or of a new one. Undefined until they are known, because amounts depend on their decimals;
 * `failed` is the list that could not be read, if they are unknown for that.
 */
export function usePolicyCurrencies(policyId?: string) {
  const { organizationId } = useOrganization();
  const policies = useQuery(allPolicies(organizationId));
  const accounts = useQuery(allAccounts(organizationId));
  const currencies = currenciesOfPolicy(policyId, policies.data, accounts.data);
  const failed = currencies === undefined ? failedQuery(policies, accounts) : undefined;
  return { currencies, failed };
}
