import { createHash } from "node:crypto";

/** Chance that is the same every time: it follows from its seed alone. */
export interface Chance {
  /** At least 0 and below 1. */
  fraction(): number;
  /** A whole number from the least to the most, both possible. */
  whole(least: number, most: number): number;
  /** Whether something of this probability happens. */
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** So many decimal digits, the first one not 0. */
  digits(count: number): string;
}

/** The chance that belongs to these words. Other words have another one, however alike they are. */
export function chanceOf(...words: (string | number)[]): Chance {
  let state = createHash("sha256").update(words.join("\n")).digest().readUInt32BE(0);
  // Mulberry32: small, fast, and good enough for what only has to look real.
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
    digits: (count) => Array.from({ length: count }, (_, place) => whole(place === 0 ? 1 : 0, 9)).join(""),
  };
}
