import { describe, expect, it } from "vitest";
import { mannWhitneyDeviation, rankTestSampleSize, rankTestThreshold } from "./rank-test.ts";

/** Returns a generator of normally distributed numbers, the same ones for the same seed (mulberry32, Box–Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Returns how many of these trials find a difference between samples that are this far apart. */
function detections(trials: number, shift: number): number {
  const next = normalNumbers(20_260_302);
  let found = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const first = Array.from({ length: rankTestSampleSize }, next);
    const second = Array.from({ length: rankTestSampleSize }, () => next() + shift);
    if (Math.abs(mannWhitneyDeviation(first, second)) > rankTestThreshold) found += 1;
  }
  return found;
}

describe("mannWhitneyDeviation", () => {
  it("is that of the textbook", () => {
    // U = 3 of samples of 5 and 5: mean 12.5, standard deviation sqrt(25 * 11 / 12).
    expect(mannWhitneyDeviation([1, 2, 3, 5, 7], [4, 6, 8, 9, 10])).toBeCloseTo(
      (3 - 12.5) / Math.sqrt((25 * 11) / 12),
      10,
    );
    // With ties: the ranks are 1, 2.5, 2.5 and 4.5, 4.5, 6.
    expect(mannWhitneyDeviation([1, 2, 3], [2, 3, 4])).toBeCloseTo(
      (2 - 4.5) / Math.sqrt((9 / 12) * (7 - 12 / 30)),
      10,
    );
    expect(mannWhitneyDeviation([1, 1], [1, 1])).toBe(0);
  });

  it("finds a shift by half a standard deviation in at least 95 of 100 cases", () => {
    expect(detections(400, 0.5)).toBeGreaterThanOrEqual(380);
  });

  it("finds none between equal samples", () => {
    expect(detections(1000, 0)).toBe(0);
  });
});
