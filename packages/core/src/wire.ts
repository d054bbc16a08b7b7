/**
 * How values travel over tRPC: plain JSON in which only dates are tagged (contract, section 9).
 * A date is the text "\u0001D" and its ISO form; a text that itself begins with "\u0001" gets one more in front.
 */
const mark = "\u0001";
const dateMark = `${mark}D`;

/** JSON may be nested deeper than a call stack; no input of ours is, so what lies below stays as it is. */
const deepest = 64;

/** Makes a value ready for JSON.stringify, without changing it. */
export function encodeWire(value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? mark + value : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return dateMark + value.toISOString();
  if (Array.isArray(value)) return value.map(encodeWire);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeWire(item)]));
}

/** Gives back what was encoded. The value must be fresh from JSON.parse: it is changed in place. */
export function decodeWire(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? decodeText(value) : value;
  if (typeof value !== "object" || value === null || depth === deepest) return value;
  const container = value as Record<string, unknown>;
  // JSON.parse makes even "__proto__" a property of the object's own, and so it stays.
  for (const key of Object.keys(container)) container[key] = decodeWire(container[key], depth + 1);
  return value;
}

function decodeText(text: string): unknown {
  if (!text.startsWith(dateMark)) return text.slice(mark.length);
  const iso = text.slice(dateMark.length);
  const date = new Date(iso);
  // Date reads much else, and takes 30 February for 2 March. What is no date stays a text, which contracts refuse.
  return toIso(date) === iso ? date : text;
}

const toIso = (date: Date) => (Number.isNaN(date.getTime()) ? null : date.toISOString());
