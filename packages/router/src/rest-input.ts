import { type Issue, validationFailed } from "@purser/core";
import type { z } from "zod";

/**
 * Converts texts of HTTP to the types of a contract. Converters are compiled once from the schema and never reject:
 * a value that does not convert is passed through, and the contract reports it.
 */
type Convert = (value: unknown) => unknown;

const asIs: Convert = (value) => value;

/**
 * Reads a query string. A repeated name becomes a list. Throws VALIDATION_FAILED if its field takes a single value: the contract
 * would only say of which type that must be.
 */
export function fromText(schema: z.ZodObject): (query: URLSearchParams) => Record<string, unknown> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, field as z.ZodType] as const);
  const converters = new Map(fields.map(([name, field]) => [name, textConverter(field)]));
  const single = new Set(fields.filter(([, field]) => inner(field).type !== "array").map(([name]) => name));
  return (query) => {
    if (query.size === 0) return {};
    const input: Record<string, unknown> = Object.create(null);
    const repeated: Issue[] = [];
    // One pass: `getAll` per name would take seconds for the longest possible query.
    for (const [name, pairs] of Map.groupBy(query, ([field]) => field)) {
      const values = pairs.map(([, value]) => value);
      if (values.length > 1 && single.has(name)) repeated.push(repeatedIssue(name));
      const convert = converters.get(name) ?? asIs;
      input[name] = convert(values.length === 1 ? values[0] : values);
    }
    if (repeated.length > 0) throw validationFailed(repeated);
    return { ...input };
  };
}

const repeatedIssue = (name: string): Issue => ({
  path: [name],
  code: "repeated",
  message: "Must be given only once",
});

/** Reads a JSON body. Only dates need conversion. */
export function fromJson(schema: z.ZodType): Convert {
  const { type, ...def } = inner(schema);
  if (type === "date") return dateConverter(schema);
  if (type === "array") return eachItem(fromJson(def["element"] as z.ZodType));
  if (type === "object") return eachField(def["shape"] as Record<string, z.ZodType>);
  return asIs;
}

function textConverter(field: z.ZodType): Convert {
  const { type, ...def } = inner(field);
  switch (type) {
    case "number":
      return (value) => (typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value);
    case "boolean":
      return (value) => (value === "true" ? true : value === "false" ? false : value);
    case "date":
      return dateConverter(field);
    case "array": {
      const convert = eachItem(textConverter(def["element"] as z.ZodType));
      return (value) => convert(Array.isArray(value) ? value : [value]);
    }
    default:
      return asIs;
  }
}

function dateConverter(schema: z.ZodType): Convert {
  const endOfDay = isEndOfDay(schema);
  return (value) => toDate(value, endOfDay);
}

function eachItem(convert: Convert): Convert {
  return convert === asIs ? asIs : (value) => (Array.isArray(value) ? value.map(convert) : value);
}

function eachField(shape: Record<string, z.ZodType>): Convert {
  const converters = Object.entries(shape)
    .map(([name, field]) => [name, fromJson(field)] as const)
    .filter(([, convert]) => convert !== asIs);
  if (converters.length === 0) return asIs;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const object: Record<string, unknown> = { ...value };
    for (const [name, convert] of converters) {
      if (Object.hasOwn(object, name)) object[name] = convert(object[name]);
    }
    return object;
  };
}

const wrappers = new Set(["optional", "nullable", "default", "prefault", "readonly", "nonoptional"]);

type Def = { type: string; [name: string]: unknown };

/** Returns the definition of a schema without its wrappers (optional, nullable, …). */
function inner(schema: z.ZodType): Def {
  const wrapped = wrappedBy(schema);
  return wrapped === undefined ? (schema._zod.def as unknown as Def) : inner(wrapped);
}

/** True for `z.date().meta({ endOfDay: true })`, also inside wrappers: a plain day then means its end. */
function isEndOfDay(schema: z.ZodType): boolean {
  if (schema.meta()?.["endOfDay"] === true) return true;
  const wrapped = wrappedBy(schema);
  return wrapped !== undefined && isEndOfDay(wrapped);
}

function wrappedBy(schema: z.ZodType): z.ZodType | undefined {
  const def = schema._zod.def as unknown as Def;
  if (wrappers.has(def.type)) return def["innerType"] as z.ZodType;
  return def.type === "pipe" ? (def["in"] as z.ZodType) : undefined;
}

const dateTime =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i;

/**
 * Converts an RFC 3339 date-time with an offset, or a plain day: its start in UTC or, in a `to` filter, its end.
 * Any other text, and a day that does not exist, stays a text.
 */
function toDate(value: unknown, endOfDay: boolean): unknown {
  const day = typeof value === "string" ? dateTime.exec(value)?.[1] : undefined;
  if (day === undefined) return value;
  // Date turns 30 February into March. A real day round-trips.
  if (new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return value;
  if (value === day) return new Date(endOfDay ? `${day}T23:59:59.999Z` : `${day}T00:00:00.000Z`);
  const date = new Date(value as string);
  return Number.isNaN(date.getTime()) ? value : date;
}
