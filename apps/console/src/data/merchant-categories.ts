import { findMerchantCategory } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { inWords } from "./format.ts";
import { queries } from "./purser.ts";

/** All categories of merchants. They change with a release of the service alone. */
export function useMerchantCategories() {
  return useQuery({
    ...queries.cards.merchantCategories.list.queryOptions(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the words for a category, of which a network reports the name or the code. */
export function useCategoryWords(): (category: string | null) => string {
  const { data: categories = [] } = useMerchantCategories();
  return (category) => {
    if (category === null || category === "") return "No category";
    const found = findMerchantCategory(categories, category);
    return found?.label ?? (/^\d/.test(category) ? `MCC ${category}` : inWords(category));
  };
}
