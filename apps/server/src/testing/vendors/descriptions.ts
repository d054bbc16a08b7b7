import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

/** A schema of an OpenAPI document, as far as examples and variants need it. */
export interface Described {
  $ref?: string;
  type?: string | string[];
  nullable?: boolean;
  const?: unknown;
  enum?: unknown[];
  example?: unknown;
  examples?: unknown;
  "x-examples"?: Record<string, unknown>;
  default?: unknown;
  format?: string;
  properties?: Record<string, Described>;
  required?: string[];
  items?: Described;
  allOf?: Described[];
  anyOf?: Described[];
  oneOf?: Described[];
}

interface Content {
  schema?: Described;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

interface Operation {
  requestBody?: { content?: Record<string, Content> };
  responses?: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}

/** A vendor's OpenAPI description. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Described> };
}

/** Reads a description in a folder of clones; null if it is not there. */
export function readDescription(folder: string, file: string): Description | null {
  const path = resolve(folder, file);
  if (!existsSync(path)) return null;
  return parse(readFileSync(path, "utf8"), { maxAliasCount: -1 }) as Description;
}

/** The schema of a webhook's body. */
export function webhookSchema(description: Description, type: string): Described | null {
  const content = description.webhooks?.[type]?.["post"]?.requestBody?.content;
  return content?.["application/json"]?.schema ?? null;
}

/** The schema and the first example of a successful `GET`; null if the description lacks one of them. */
export function exampleResponse(
  description: Description,
  path: string,
): { schema: Described; example: unknown } | null {
  const content = description.paths[path]?.["get"]?.responses?.["200"]?.content ?? {};
  const { schema, examples = {} } = Object.values(content)[0] ?? {};
  const [shown] = Object.values(examples);
  if (schema === undefined || shown === undefined) return null;
  const { value } = shown.$ref === undefined ? shown : (atPointer(description, shown.$ref) as typeof shown);
  return value === undefined ? null : { schema, example: value };
}

/** Follows references, and joins the parts of `allOf`. */
function resolved(description: Description, schema: Described): Described {
  const { $ref, allOf, ...own } = schema;
  const target = $ref === undefined ? {} : resolved(description, atPointer(description, $ref) as Described);
  const joined: Described = { properties: {}, required: [] };
  for (const part of [target, ...(allOf ?? []).map((one) => resolved(description, one)), own]) {
    const { properties, required } = joined;
    Object.assign(joined, part, {
      properties: { ...properties, ...part.properties },
      required: [...(required ?? []), ...(part.required ?? [])],
    });
  }
  return joined;
}

function atPointer(document: unknown, pointer: string): unknown {
  return pointer
    .replace(/^#\//, "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

function isNullable(description: Description, schema: Described): boolean {
  const { nullable, type, anyOf = [], oneOf = [] } = resolved(description, schema);
  const parts = [...anyOf, ...oneOf];
  return (
    nullable === true || [type].flat().includes("null") || parts.some((part) => isNullable(description, part))
  );
}

/** An example by the schema: what it shows itself, or the first value that it allows. */
export function sampleOf(description: Description, schema: Described, depth = 0): unknown {
  const known = resolved(description, schema);
  const { properties = {}, items, anyOf, oneOf } = known;
  const [shown] = Array.isArray(known.examples) ? (known.examples as unknown[]) : [];
  for (const value of [known.const, known.example, shown, known.enum?.[0]]) {
    if (value === undefined || value === null) continue;
    // An example of one part of `allOf` lacks the fields of the others.
    return isRecord(value) ? { ...sampleProperties(description, properties, depth), ...value } : value;
  }
  const part = [...(anyOf ?? []), ...(oneOf ?? [])].find((one) => resolved(description, one).type !== "null");
  if (part !== undefined && Object.keys(properties).length === 0) return sampleOf(description, part, depth);
  const type = [known.type].flat().find((name) => name !== "null");
  if (type === "array") return depth < 8 && items ? [sampleOf(description, items, depth + 1)] : [];
  if (type === "string" || (type === undefined && Object.keys(properties).length === 0))
    return sampleText(known.format);
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return false;
  return sampleProperties(description, properties, depth);
}

function sampleProperties(
  description: Description,
  properties: Record<string, Described>,
  depth: number,
): object {
  if (depth >= 8) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sampleOf(description, property, depth + 1)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sampleText(format: string | undefined): string {
  if (format === "date-time") return "2026-03-02T09:00:00Z";
  if (format === "date") return "2026-03-02";
  if (format?.startsWith("uuid")) return "00000000-0000-4000-8000-000000000001";
  return format === "uri" ? "https://example.com/" : "text";
}

export interface MessageVariant {
  /** Such as `data/product: null`. */
  change: string;
  message: unknown;
}

/** Every message that differs from an example by one field, which the description allows to be null or absent. */
export function variantsOf(description: Description, schema: Described, example: unknown): MessageVariant[] {
  const variants: MessageVariant[] = [];
  const visit = (at: Described, value: unknown, path: (string | number)[]): void => {
    if (path.length > 12 || typeof value !== "object" || value === null) return;
    const known = resolved(description, at);
    const { anyOf = [], oneOf = [] } = known;
    const parts = [...anyOf, ...oneOf].map((part) => resolved(description, part));
    const shape =
      parts.find(({ properties = {} }) => Object.keys(value).every((key) => key in properties)) ?? known;
    if (Array.isArray(value)) {
      const { items } = known.items ? known : (parts.find((part) => part.items) ?? {});
      if (items && value.length > 0) visit(items, value[0], [...path, 0]);
      return;
    }
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      if (!(name in value)) continue;
      const place = [...path, name];
      if (isNullable(description, property)) variants.push(changed(example, place, null));
      if (!shape.required?.includes(name)) variants.push(changed(example, place, undefined));
      visit(property, (value as Record<string, unknown>)[name], place);
    }
  };
  visit(schema, example, []);
  return variants;
}

function changed(example: unknown, path: (string | number)[], value: null | undefined): MessageVariant {
  const message = structuredClone(example) as Record<string | number, unknown>;
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as typeof at, message);
  if (value === null) holder[path.at(-1)!] = null;
  else Reflect.deleteProperty(holder, path.at(-1)!);
  return { change: `${path.join("/")}: ${value === null ? "null" : "absent"}`, message };
}
