import { maxLengths } from "./generated/max-lengths.ts";

/** A text of a mutation's input, such as "cards.create.nickname". */
export type TextField = keyof typeof maxLengths;

/**
 * Returns how many characters a text of a mutation's input may have, for the `maxLength` of a form's field. For a list of
 * texts, it is that of each. A longer text is refused with VALIDATION_FAILED.
 *
 * @example
 * <input name="nickname" maxLength={maxLengthOf("cards.create.nickname")} />
 */
export function maxLengthOf(field: TextField): number {
  return maxLengths[field];
}
