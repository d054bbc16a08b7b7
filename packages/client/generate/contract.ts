import { z } from "zod";

/** The first line of every generated file. */
export const banner =
  "// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.\n";

/** Whether a type is written as an input or an output. They differ by defaults and conversions. */
export type Side = "input" | "output";

/** Writes zod contracts as TypeScript types, and collects the declarations of named ones. */
export interface ContractWriter {
  /** The type of a contract: its name if `.meta({ id })` gives it one, otherwise the type itself. */
  type(contract: z.core.$ZodType, side: Side): string;
  /** The named contracts so far, in order of first use. */
  declarations(): Map<string, string>;
}

/** Creates a writer. It throws for an unknown kind of schema, and for a name of two different contracts. */
export function createContractWriter(): ContractWriter {
  const declared = new Map<string, Named>();

  function type(contract: z.core.$ZodType, side: Side): string {
    const named = namedContract(contract);
    const name = z.globalRegistry.get(named)?.id;
    if (name === undefined) return body(contract, side, type);
    const known = declared.get(name) ?? { contract: named, bodies: {} };
    declared.set(name, known);
    if (known.contract !== named) throw new Error(`Two contracts are named ${name}`);
    if (known.bodies[side] === undefined) {
      // Set before it is written, because a contract may contain itself.
      known.bodies[side] = "";
      known.bodies[side] = body(named, side, type);
      const { input, output } = known.bodies;
      if (input !== undefined && output !== undefined && input !== output)
        throw new Error(`${name} differs between input and output`);
    }
    return name;
  }

  return {
    type,
    declarations: () => new Map([...declared].map(([name, known]) => [name, declare(name, known)])),
  };
}

/** A contract with a new description for one field keeps the name of its original. */
function namedContract(contract: z.core.$ZodType): z.core.$ZodType {
  const { parent } = contract._zod;
  return z.globalRegistry.get(contract)?.id === undefined && parent ? namedContract(parent) : contract;
}

interface Named {
  contract: z.core.$ZodType;
  bodies: Partial<Record<Side, string>>;
}

/** Writes a type without its name. `type` writes its parts. */
function body(contract: z.core.$ZodType, side: Side, type: ContractWriter["type"]): string {
  const { def } = (contract as z.core.$ZodTypes)._zod;
  if ("coerce" in def && def.coerce) throw new Error("A contract that coerces accepts any input");
  switch (def.type) {
    case "string":
      return openUnion(contract);
    case "number":
    case "boolean":
    case "null":
    case "undefined":
    case "void":
    case "unknown":
      return def.type;
    case "date":
      return "Date";
    case "enum":
      return union(Object.values(def.entries).map(literal));
    case "literal":
      return union(def.values.map(literal));
    case "array":
      return arrayOf(type(def.element, side));
    case "object":
      return fields(def, side, type);
    case "record":
      return `Record<${type(def.keyType, side)}, ${type(def.valueType, side)}>`;
    case "union":
      return union(def.options.map((option) => type(option, side)));
    case "nullable":
      return union([type(def.innerType, side), "null"]);
    case "optional":
      return union([type(def.innerType, side), "undefined"]);
    case "default":
    case "prefault":
      return side === "input" ? union([type(def.innerType, side), "undefined"]) : type(def.innerType, side);
    case "pipe":
      return type(side === "input" ? def.in : def.out, side);
    default:
      throw new Error(`Contracts of the type ${def.type} are not supported`);
  }
}

function fields({ shape, catchall }: z.core.$ZodObjectDef, side: Side, type: ContractWriter["type"]): string {
  if (catchall !== undefined && catchall._zod.def.type !== "never") {
    throw new Error("Objects with undeclared fields are not supported");
  }
  const lines = Object.entries(shape).map(([name, field]) => {
    const isOptional = (side === "input" ? field._zod.optin : field._zod.optout) !== undefined;
    return `${comment(notes(field, side))}${key(name)}${isOptional ? "?" : ""}: ${type(field, side)};`;
  });
  return lines.length === 0 ? "Record<string, never>" : `{\n${indent(lines.join("\n"))}\n}`;
}

function declare(name: string, { contract, bodies }: Named): string {
  return declaration(
    name,
    bodies.output ?? bodies.input ?? "unknown",
    z.globalRegistry.get(contract)?.description,
  );
}

/** Declares an interface for an object type, and an alias otherwise. Editors show interfaces by name. */
export function declaration(name: string, type: string, description?: string): string {
  const isObject = /^\{\n(?: .*\n)*\}$/.test(type);
  const head = isObject ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  return comment(description === undefined ? [] : [description]) + head;
}

/** The documentation of a field: its own or that of its type, the default, and the examples. */
function notes(field: z.core.$ZodType, side: Side): string[] {
  const { description, examples = [] } = explanation(field);
  const fallback = side === "input" ? defaultOf(field) : undefined;
  const tags = [
    ...(fallback === undefined ? [] : [`@default ${code(fallback)}`]),
    ...examples.map((example) => `@example ${code(example)}`),
  ];
  return [
    ...(description === undefined ? [] : [description]),
    ...(tags.length === 0 ? [] : [tags.join("\n")]),
  ];
}

/** What a field says of itself or, where it does not, the type that it wraps or lists. */
export function explanation(field: z.core.$ZodType): Explanation {
  const { description, examples } = (z.globalRegistry.get(field) as Explanation | undefined) ?? {};
  const { def } = (field as z.core.$ZodTypes)._zod;
  if ("element" in def) {
    const [first] = explanation(def.element).examples ?? [];
    return { description, examples: examples ?? (first === undefined ? undefined : [[first]]) };
  }
  const inner = "innerType" in def ? explanation(def.innerType) : {};
  return { description: description ?? inner.description, examples: examples ?? inner.examples };
}

interface Explanation {
  description?: string | undefined;
  examples?: unknown[] | undefined;
}

function defaultOf(field: z.core.$ZodType): unknown {
  const { def } = (field as z.core.$ZodTypes)._zod;
  if (def.type === "default") return def.defaultValue;
  return "innerType" in def ? defaultOf(def.innerType) : undefined;
}

/** Writes a value as TypeScript. */
export function code(value: unknown): string {
  if (value instanceof Date) return `new Date("${value.toISOString()}")`;
  if (Array.isArray(value)) return `[${value.map(code).join(", ")}]`;
  if (typeof value !== "object" || value === null) return literal(value);
  const members = Object.entries(value).map(([name, item]) => `${key(name)}: ${code(item)}`);
  return `{ ${members.join(", ")} }`;
}

/** Returns a docstring with these paragraphs, or an empty string without any. */
export function comment(paragraphs: string[]): string {
  if (paragraphs.length === 0) return "";
  const lines = paragraphs.join("\n\n").replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** Whether a type consists of names: `Card[]`, `Subscription | null`. */
export const isTypeName = (type: string) => /^[\w[\]| ]+$/.test(type);
export const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "  ");
export const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
/** Text, or the union of its known values and every other text. */
function openUnion(contract: z.core.$ZodType): string {
  const known = z.globalRegistry.get(contract)?.["knownValues"];
  return Array.isArray(known) ? union([...known.map(literal), "(string & Record<never, never>)"]) : "string";
}

const literal = (value: unknown) => (value === undefined ? "undefined" : JSON.stringify(value));
const union = (members: string[]) => [...new Set(members)].join(" | ");
const arrayOf = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`);
