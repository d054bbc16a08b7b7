import { definedFields } from "@purser/core";
import { z } from "zod";

export type Json = Record<string, unknown>;

/** Converts a contract to JSON Schema as OpenAPI uses it. Contracts with an id move to the components. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $defs,
    $schema: _,
    ...converted
  } = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    // Outputs are open: a client that validates them must accept a field that a later version adds.
    override: ({ jsonSchema: json }) => {
      if (io === "output" && json.additionalProperties === false) delete json.additionalProperties;
    },
    unrepresentable: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === "date") return { type: "string", format: "date-time" };
      throw new Error(`A ${type} cannot be described in JSON`);
    },
  });
  const moved = JSON.parse(
    JSON.stringify({ converted, $defs: $defs ?? {} }).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { converted: Json; $defs: Record<string, Json> };
  for (const each of [moved.converted, ...Object.values(moved.$defs)]) complete(each, io);
  Object.assign(schemas, moved.$defs);
  return moved.converted;
}

/** Returns the description of the component that a schema refers to. */
export function descriptionOf({ $ref }: Json, schemas: Json): unknown {
  const named = schemas[String($ref).replace("#/components/schemas/", "")] as Json | undefined;
  return named?.["description"];
}

/** Completes what zod writes: moves the descriptions of nullable fields up, and says which dates an input may have. */
function complete(schema: Json, io: "input" | "output"): void {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema as Parts;
  const value = nullableValue(anyOf);
  if (value !== undefined) {
    // The description is that of the field, whether or not its value is null.
    const { description, examples, endOfDay, inTimeZone, ...rest } = value;
    Object.assign(schema, { ...definedFields({ description, examples, endOfDay, inTimeZone }), ...schema });
    schema["anyOf"] = [rest, ...anyOf.slice(1)];
  }
  const parts = [
    ...Object.values(properties),
    ...((schema as Parts).anyOf ?? []),
    items,
    additionalProperties,
  ];
  for (const part of parts) if (typeof part === "object") complete(part, io);
  openList(schema);
  if (io === "input") takeDays(schema);
  delete schema["endOfDay"];
  delete schema["inTimeZone"];
}

/** JSON Schema has no word for an open list: its values are one alternative, and any text is another. */
function openList(schema: Json): void {
  const { knownValues, $ref } = schema;
  delete schema["knownValues"];
  // Next to a reference, they are those of the component.
  if (knownValues === undefined || $ref !== undefined) return;
  delete schema["type"];
  schema["anyOf"] = [{ type: "string", enum: knownValues }, { type: "string" }];
}

/** Adds to a date of an input that a plain day is valid as well, and what it means. */
function takeDays(schema: Json): void {
  const { type, format, description, endOfDay, inTimeZone } = schema;
  if (format === "date-time") {
    delete schema["type"];
    delete schema["format"];
    schema["anyOf"] = [
      { type, format },
      { type, format: "date" },
    ];
  }
  const { anyOf = [] } = schema as Parts;
  // A nullable date has become a union within a union.
  if (anyOf.some(isDayOrTime))
    schema["anyOf"] = anyOf.flatMap((each) => (isDayOrTime(each) ? each.anyOf : [each]));
  if (typeof description !== "string" || !isDayOrTime(schema)) return;
  const bound = endOfDay === true ? "end" : "start";
  const meaning = inTimeZone === true ? "that day in the organization's time zone" : `its ${bound} in UTC`;
  schema["description"] = `${description} A plain day, such as \`2026-03-01\`, means ${meaning}.`;
}

function isDayOrTime(schema: Json): schema is Json & { anyOf: Json[] } {
  const formats = new Set(((schema as Parts).anyOf ?? []).map(({ format }) => format));
  return formats.has("date-time") && formats.has("date");
}

/** Returns the other schema of a union with null, if it is one. */
function nullableValue([value, none, ...others]: Json[]): Json | undefined {
  return none?.["type"] === "null" && others.length === 0 ? value : undefined;
}

interface Parts {
  properties?: Record<string, Json>;
  items?: Json;
  anyOf?: Json[];
  additionalProperties?: Json | boolean;
}
