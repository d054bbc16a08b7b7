const surrogates = { first: 0xd800, count: 0x800 };

/** The characters of Unicode, surrogates aside. */
export const characterCount = 0x110000 - surrogates.count;

/**
 * Returns a character by its place among all. fast-check's own unit of all characters (`binary`) takes a second to prepare.
 *
 * @example
 * fc.string({ unit: fc.nat(characterCount - 1).map(characterAt) })
 */
export const characterAt = (place: number): string =>
  String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);
