import type { MerchantCategory } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { categoryNameInWords, findCategory, isCode } from "./category-names.ts";
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
  const { data: categories } = useMerchantCategories();
  return (category) => categoryInWords(category, categories ?? []);
}

/** A category in words: its name, also of a code. */
function categoryInWords(category: string | null, known: readonly MerchantCategory[]): string {
  if (category === null || category === "") return "No category";
  if (!isCode(category)) return categoryNameInWords(category);
  const found = findCategory(category, known);
  return found === undefined ? `MCC ${category}` : categoryNameInWords(found.name);
}
