import { hash } from "node:crypto";

/** Deterministic pseudo-random values: the same seed gives the same sequence. */
export interface RandomSource {
  /** A number from 0, included, to 1, excluded. */
  fraction(): number;
  /** An integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** This many decimal digits. The first is not 0. */
  digits(count: number): string;
}

/**
 * Creates a generator with this seed. Similar seeds give unrelated sequences.
 *
 * @example
 * createRandom("sandbox", 7).whole(1, 6); // the same number at each run
 */
export function createRandom(...seed: (string | number)[]): RandomSource {
  let state = hash("sha256", seed.join("\n"), "buffer").readUInt32BE(0);
  // Mulberry32: small, fast, and good enough for data that only has to look real.
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    happens: (probability) => fraction() < probability,
    pick: (items) => items[Math.floor(fraction() * items.length)]!,
    digits: (count) => Array.from({ length: count }, (_, index) => whole(index === 0 ? 1 : 0, 9)).join(""),
  };
}
