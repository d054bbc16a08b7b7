/** The lowest and the highest value of a plot's axis, in minor units. Zero is always between them. */
export function valueDomain(values: readonly number[]): [lowest: number, highest: number] {
  const lowest = Math.min(0, ...values);
  // Of zeros alone, an axis that ends at 1 would have marks at fractions of a cent.
  return [lowest, Math.max(lowest < 0 ? 0 : 100, ...values)];
}
