import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EventType } from "@purser/core";
import { encodeWire } from "@purser/core/wire";
import { z } from "zod";
import { Event } from "../contract.ts";

/** An event as a version of the service has stored it, except for sealing. */
export interface RecordedEvent {
  type: EventType;
  /** In the wire format. */
  data: unknown;
}

/** Events of each shape that a version of the service has stored. Lines are only added. */
export const storedEventsFile = new URL("../../stored-events.jsonl", import.meta.url);

export function readStoredEvents(): { text: string; events: RecordedEvent[] } {
  const text = readFileSync(storedEventsFile, "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  const events = lines.map((line) => {
    const { type, data } = JSON.parse(line) as RecordedEvent;
    return { type, data };
  });
  return { text, events };
}

/**
 * Adds a line for each event. It has a hash of all earlier lines, so that none of them is changed or removed unnoticed. Only
 * the diff shows that the last lines were removed.
 */
export function addStoredEvents(text: string, events: readonly RecordedEvent[]): string {
  return events.reduce((earlier, { type, data }) => {
    const after = createHash("sha256").update(earlier).digest("hex").slice(0, 16);
    return `${earlier}${JSON.stringify({ after, type, data })}\n`;
  }, text);
}

/**
 * Returns events that have what no recorded event of their type has: a field, its absence, null, an empty list, or a value of
 * an enum.
 */
export function findMissingEvents(recorded: readonly RecordedEvent[]): RecordedEvent[] {
  return Event.options.flatMap(({ shape }) => {
    const type = shape.type.value;
    const schema = jsonSchemaOf(shape.data);
    const ofType = recorded.filter((event) => event.type === type);
    const known = new Set(ofType.flatMap(({ data }) => featuresOf(schema, data)));
    return examplesIn(schema).flatMap((example) => {
      const data = encodeWire(example);
      const added = featuresOf(schema, data).filter((feature) => !known.has(feature));
      for (const feature of added) known.add(feature);
      return added.length > 0 ? { type, data } : [];
    });
  });
}

/**
 * Returns what a contract reads: first its example, then examples with the other values of enums, with null, with empty lists,
 * and without what may be absent.
 */
export const examplesOf = (contract: z.ZodType): unknown[] => examplesIn(jsonSchemaOf(contract));

interface JsonSchema {
  $ref?: string;
  enum?: unknown[];
  examples?: unknown[];
  type?: string | string[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  anyOf?: JsonSchema[];
}

/** The schema of an input, where a field with a default may be absent. Resolves references, constants and lists of types. */
function jsonSchemaOf(contract: z.ZodType): JsonSchema {
  const { $defs = {}, ...schema } = z.toJSONSchema(contract, {
    io: "input",
    unrepresentable: ({ zodSchema }) => {
      if (zodSchema._zod.def.type === "date") return { type: "string", format: "date-time" };
      throw new Error(`A ${zodSchema._zod.def.type} cannot be described in JSON`);
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const resolve = ({ $ref, ...own }: JsonSchema): JsonSchema => {
    const { type, properties, items, anyOf, ...rest } = {
      ...$defs[$ref?.replace("#/$defs/", "") ?? ""],
      ...own,
    };
    return {
      ...rest,
      ...(Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : type && { type }),
      ...("const" in rest && { enum: [rest.const] }),
      ...(properties && { properties: mapValues(properties, resolve) }),
      ...(items && { items: resolve(items) }),
      ...(anyOf && { anyOf: anyOf.map(resolve) }),
    };
  };
  return resolve(schema);
}

function examplesIn(schema: JsonSchema): unknown[] {
  const { enum: values, examples = [], type, format, properties, items, minItems = 0, anyOf } = schema;
  const given = examples.slice(0, 1);
  const [example] = given;
  if (type === "null") return [null];
  if (values !== undefined) return [...given, ...values];
  if (anyOf !== undefined) {
    if (example === null) return [null, ...anyOf.flatMap(examplesIn)];
    // A nullable field has the example, not the schema of its value.
    return anyOf.flatMap((each) => examplesIn(example === undefined ? each : { ...each, examples: given }));
  }
  if (properties !== undefined) return [...given, ...objectsOf(properties, schema.required ?? [])];
  if (items !== undefined) {
    const all = examplesIn(items);
    return [...given, all.slice(0, 1), all, ...(minItems === 0 ? [[]] : [])];
  }
  const value = example ?? anyValues[String(type)];
  return [format === "date-time" ? new Date(value as string) : value];
}

const anyValues: Readonly<Record<string, unknown>> = {
  string: "2026-03-18T19:48:36.000Z",
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
};

/** The first has the first value of each field, the second the second one, and so on, until each value was used. */
function objectsOf(properties: Record<string, JsonSchema>, required: readonly string[]): unknown[] {
  const fields = mapValues(properties, (property, name) =>
    required.includes(name) ? examplesIn(property) : [...examplesIn(property), undefined],
  );
  const count = Math.max(1, ...Object.values(fields).map(({ length }) => length));
  return Array.from({ length: count }, (_, number) =>
    mapValues(fields, (values) => values[number % values.length]),
  );
}

/**
 * Names each part of a value, with what a contract may cease to accept: its type, null, its absence, an empty list, or the value
 * of an enum.
 */
function featuresOf(schema: JsonSchema, value: unknown, path = ""): string[] {
  const { enum: values, properties, items, anyOf } = schema;
  if (value === undefined) return [`${path} is absent`];
  if (value === null) return [`${path} is null`];
  const notNull = anyOf?.find(({ type }) => type !== "null");
  if (notNull !== undefined) return featuresOf(notNull, value, path);
  if (values !== undefined) return [`${path} is ${JSON.stringify(value)}`];
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, property]) =>
      featuresOf(property, (value as Record<string, unknown>)[name], `${path}.${name}`),
    );
  if (items !== undefined && Array.isArray(value)) {
    if (value.length === 0) return [`${path} is empty`];
    return value.flatMap((item) => featuresOf(items, item, `${path}[]`));
  }
  return [`${path} is a ${typeof value}`];
}

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
