/**
 * The wire format of tRPC: JSON in which only dates are tagged, and the numbers that JSON lacks. A date is the text
 * "\u0001D" and its ISO form, one of the numbers "\u0001N" and its name. A text that starts with "\u0001" gets another one in
 * front.
 */
const mark = "\u0001";
const dateMark = `${mark}D`;
const numberMark = `${mark}N`;

/** JSON may be nested deeper than the call stack. No input of ours is, so deeper values stay undecoded. */
const deepest = 64;

/**
 * Makes a value ready for JSON.stringify, without changing it.
 *
 * @param textOf Writes a date in its ISO form.
 *
 * @example
 * decodeWire(JSON.parse(JSON.stringify(encodeWire({ at: new Date(0) })))); // { at: Date }
 */
export const encodeWire = (value: unknown, textOf = dateText): unknown =>
  mapLeaves(value, (leaf) => {
    if (typeof leaf === "string") return leaf.startsWith(mark) ? mark + leaf : leaf;
    // JSON would write null, which means that there is no limit. So NaN and infinity arrive, and the contract refuses them.
    if (typeof leaf === "number") return Number.isFinite(leaf) ? leaf : numberMark + String(leaf);
    return leaf instanceof Date ? dateMark + textOf(leaf) : leaf;
  });

/** Replaces everything but objects and lists. Copies only those that hold something else then. */
export function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return change(value);
  const container = value as Record<string, unknown>;
  let copy: typeof container | undefined;
  for (const key of Object.keys(container)) {
    const changed = mapLeaves(container[key], change);
    if (changed === container[key]) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as typeof container;
    // A copy has "__proto__" as an own property too, so this assignment does not touch the prototype.
    copy[key] = changed;
  }
  return copy ?? value;
}

/** Decodes an encoded value in place. The value must come fresh from JSON.parse. */
export function decodeWire(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? decodeText(value) : value;
  if (typeof value !== "object" || value === null || depth === deepest) return value;
  const container = value as Record<string, unknown>;
  // JSON.parse makes even "__proto__" an own property, so this assignment does not touch the prototype.
  for (const key of Object.keys(container)) container[key] = decodeWire(container[key], depth + 1);
  return value;
}

function decodeText(text: string): unknown {
  const rest = text.slice(dateMark.length);
  if (text.startsWith(numberMark)) return /^(?:NaN|-?Infinity)$/.test(rest) ? Number(rest) : text;
  if (!text.startsWith(dateMark)) return text.slice(mark.length);
  const date = new Date(rest);
  // Date accepts many other texts, and reads 30 February as 2 March. These stay texts, which contracts refuse.
  return dateText(date) === rest ? date : text;
}

/** Returns the ISO form of a date. An invalid one is "Invalid Date", which every contract refuses. */
export const dateText = (date: Date): string => date.toJSON() ?? String(date);
