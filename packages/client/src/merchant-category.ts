import type { MerchantCategory } from "./generated/purser-client.ts";

/**
 * Returns the category that a merchant belongs to, of those that `cards.merchantCategories.list` returns. A card network
 * reports a code or a name, and the code of a single airline, hotel or car rental belongs to the category of its kind.
 * Undefined for a category that is not in the list.
 *
 * @example
 * const categories = await purser.cards.merchantCategories.list();
 * findMerchantCategory(categories, "3058")?.label; // "Airlines, air carriers"
 */
export function findMerchantCategory(
  categories: readonly MerchantCategory[],
  category: string,
): MerchantCategory | undefined {
  return (
    categories.find(({ code, name }) => code === category || name === category) ??
    // All codes have four digits, so they compare as texts.
    categories.find(
      ({ includes }) =>
        includes !== null && /^\d{4}$/.test(category) && includes.from <= category && category <= includes.to,
    )
  );
}
