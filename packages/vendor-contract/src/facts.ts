import type { ContractSchema, JsonSchema } from "./schema.ts";

/**
 * A fact about a field that the vendor documents and the type of its SDK does not say. It refines the schema that
 * checks the fake. `document` and `path` say where a reader finds it; no command compares the two.
 */
export interface VendorFact {
  /** The fact in our words. */
  says: string;
  /** The vendor's document, and the place in it: a JSON pointer, or a heading of a page. */
  document: string;
  path: string;
  /** The field of an SDK type, such as `Card.last_four`. Absent for a fact about behavior. */
  of?: string;
  /** Narrows the values of the field. */
  is?: JsonSchema;
  /** Whether the field may be null. */
  null?: boolean;
  /** Whether the field is always there. */
  required?: boolean;
}

/** Refines the schemas of a contract by its facts. */
export function refine(schema: ContractSchema, facts: readonly VendorFact[]): ContractSchema {
  const refined = structuredClone(schema);
  for (const { of, is, null: isNullable, required, says } of facts) {
    if (of === undefined) continue;
    const [, type = "", field = ""] = /^(.*)\.([^.]+)$/.exec(of) ?? [];
    const object = refined.$defs[type];
    const known = object?.properties?.[field];
    if (!object?.properties || known === undefined) throw new Error(`No type has ${of}: ${says}`);
    const value = is ? { allOf: [known, is] } : known;
    object.properties[field] = nullable(value, isNullable);
    if (required === undefined) continue;
    const others = object.required?.filter((name) => name !== field) ?? [];
    object.required = required ? [...others, field] : others;
  }
  return refined;
}

function nullable(schema: JsonSchema, isNullable: boolean | undefined): JsonSchema {
  if (isNullable === undefined) return schema;
  return isNullable ? { anyOf: [schema, { type: "null" }] } : { allOf: [schema, notNull] };
}

const notNull: JsonSchema = { type: ["string", "number", "boolean", "object", "array"] };
