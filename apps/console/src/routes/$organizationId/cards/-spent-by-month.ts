import type { CardSpendingItem } from "@purser/client";

/**
 * What cards spent in each of these months, from items by day; null if that is nothing in each of them. A refund counts when
 * it comes, so months may add up to zero with something in each.
 */
export function spentByMonth(
  items: readonly Pick<CardSpendingItem, "key" | "approved">[],
  months: readonly { first: string }[],
): number[] | null {
  const spent = months.map(({ first }) =>
    items
      .filter(({ key }) => key?.startsWith(first.slice(0, 7)))
      .reduce((sum, { approved }) => sum + approved, 0),
  );
  return spent.some((amount) => amount !== 0) ? spent : null;
}
