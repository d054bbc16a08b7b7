import { z } from "zod";

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
  const named = new Map<string, Named>();

  function type(contract: z.core.$ZodType, side: Side): string {
    const name = z.globalRegistry.get(contract)?.id;
    if (name === undefined) return body(contract, side, type);
    const known = named.get(name) ?? { contract, bodies: {} };
    named.set(name, known);
    if (known.contract !== contract) throw new Error(`Two contracts are named ${name}`);
    if (known.bodies[side] === undefined) {
      // Set before it is written, because a contract may contain itself.
      known.bodies[side] = "";
      known.bodies[side] = body(contract, side, type);
      const { input, output } = known.bodies;
      if (input !== undefined && output !== undefined && input !== output)
        throw new Error(`${name} differs between input and output`);
    }
    return name;
  }

  return {
    type,
    declarations: () => new Map([...named].map(([name, known]) => [name, declare(name, known)])),
  };
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

/** The documentation of a field: its description, that of the wrapped type unless it is named, and the default. */
function notes(field: z.core.$ZodType, side: Side): string[] {
  const { def } = (field as z.core.$ZodTypes)._zod;
  const { id, description } = z.globalRegistry.get(field) ?? {};
  if (id !== undefined) return [];
  const inner = "innerType" in def ? notes(def.innerType, side) : [];
  const own = description === undefined ? [] : [description];
  const fallback =
    side === "input" && def.type === "default" ? [`Default: ${JSON.stringify(def.defaultValue)}.`] : [];
  return [...own, ...inner, ...fallback];
}

/** Returns a docstring with these paragraphs, or an empty string without any. */
export function comment(paragraphs: string[]): string {
  if (paragraphs.length === 0) return "";
  const lines = paragraphs.join("\n\n").replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

export const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "  ");
export const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const literal = (value: unknown) => (value === undefined ? "undefined" : JSON.stringify(value));
const union = (members: string[]) => [...new Set(members)].join(" | ");
const arrayOf = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`);
