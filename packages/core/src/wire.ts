/**
 * The wire format of tRPC: JSON in which only dates are tagged. A date is the text "\u0001D" and its ISO form. A text that
 * starts with "\u0001" gets another one in front.
 */
const mark = "\u0001";
const dateMark = `${mark}D`;

/** JSON may be nested deeper than the call stack. No input of ours is, so deeper values stay undecoded. */
const deepest = 64;

/**
 * Makes a value ready for JSON.stringify, without changing it. Copies only objects and lists with something to encode.
 */
export function encodeWire(value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? mark + value : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return dateMark + value.toISOString();
  return Array.isArray(value) ? encodeList(value) : encodeFields(value as Record<string, unknown>);
}

function encodeList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const encoded = encodeWire(item);
    if (encoded !== item) (copy ??= list.slice())[index] = encoded;
  }
  return copy ?? list;
}

function encodeFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    const encoded = encodeWire(item);
    // A copy has "__proto__" as an own property too, so this assignment does not touch the prototype.
    if (encoded !== item) (copy ??= { ...fields })[key] = encoded;
  }
  return copy ?? fields;
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
  if (!text.startsWith(dateMark)) return text.slice(mark.length);
  const iso = text.slice(dateMark.length);
  const date = new Date(iso);
  // Date accepts many other texts, and reads 30 February as 2 March. An invalid date stays a text, which contracts refuse.
  return toIso(date) === iso ? date : text;
}

const toIso = (date: Date) => (Number.isNaN(date.getTime()) ? null : date.toISOString());
