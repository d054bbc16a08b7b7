import type { CardPolicy, CardTransaction } from "@purser/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMerchantCategories } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { questionsOf } from "../../../data/purchase-now.ts";
import { purser, queries } from "../../../data/purser.ts";
import { dayOfWeek, zonedDay } from "../../../data/zoned-day.ts";
import { type Fixes, fixesOf } from "./-fixes.ts";
import { type PolicyValues, draftOfValues } from "./-policy-draft.ts";

/** What a policy with these values needs so that a purchase passes. Null while it is not known, and if nothing helps. */
export function useFixes(
  purchase: CardTransaction,
  { values, stored, currency }: { values: PolicyValues; stored: CardPolicy | undefined; currency: string },
  isWanted: boolean,
): Fixes | null {
  const { organizationId, timeZone } = useOrganization();
  const { data: categories } = useMerchantCategories();
  const { data } = useQuery({
    queryKey: [...queries.cards.policies.check.queryKey(), "fixes", purchase.id, values],
    queryFn: ({ signal }) => {
      const check = async (changed: PolicyValues) => {
        const draft = draftOfValues(changed, { currency, timeZone }, stored);
        const { name: _name, description: _description, ...policy } = draft;
        const { base } = questionsOf(purchase);
        const { cardId } = purchase;
        return purser.cards.policies.check({ organizationId, cardId, policy, ...base }, { signal });
      };
      const today = dayOfWeek(zonedDay(new Date(), timeZone));
      return fixesOf(values, { purchase, currency, categories: categories ?? [], today, check });
    },
    enabled: isWanted && categories !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  return isWanted && data !== undefined && data !== null && data.fixes.length > 0 ? data : null;
}
