/**
 * The deviation beyond which two samples differ, in standard deviations: equal samples exceed it once in a million times
 * (two-sided).
 */
export const rankTestThreshold = 4.892;

/** The size of each sample with which a shift by half a standard deviation is found in 97 of 100 cases. */
export const rankTestSampleSize = 400;

/**
 * Compares two samples with the Mann–Whitney U test, and returns the deviation of U from its mean in standard deviations,
 * with the correction for ties. It depends on ranks only, so a few very slow requests of a busy machine do not matter.
 * Take the samples in turn, so that a change of the load meets both.
 *
 * @example
 * expect(Math.abs(mannWhitneyDeviation(knownMs, unknownMs))).toBeLessThan(rankTestThreshold);
 */
export function mannWhitneyDeviation(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].toSorted((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]!.value === all[start]!.value) end += 1;
    const size = end - start;
    ties += size ** 3 - size;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    start = end;
  }
  const [n, m, total] = [first.length, second.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  return variance === 0 ? 0 : (u - (n * m) / 2) / Math.sqrt(variance);
}
