import { z } from "zod";
import { code, explanation, key } from "./contract.ts";

interface Called {
  /** Its names, from the outermost group inwards. */
  path: string[];
  input: z.core.$ZodType;
  isStream?: boolean;
}

/**
 * Writes a call of a method with the examples of its contract, such as `await purser.cards.get({ … });`. Undefined if a
 * required field has no example. Throws if the contract refuses the call.
 */
export function exampleCall(client: string, { path, input, isStream = false }: Called): string | undefined {
  const example = exampleInput(input, /^(update|change)/.test(path.at(-1) ?? ""));
  if (example === undefined) return undefined;
  const { success } = z.safeParse(input, example);
  if (!success)
    throw new Error(`${path.join(".")}: the contract refuses the example ${JSON.stringify(example)}`);
  const call = `${client}.${path.join(".")}(${argument(example)})`;
  return isStream ? `for await (const event of ${call})\n  console.log(event.type);` : `await ${call};`;
}

type Fields = Record<string, unknown>;

/** On one line if it is short, like a formatter. */
function argument(example: Fields): string {
  const members = Object.entries(example).map(([name, value]) => `${key(name)}: ${code(value)}`);
  if (members.length === 0) return "";
  const line = `{ ${members.join(", ")} }`;
  return line.length <= 72 ? line : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
}

/**
 * Returns the required fields, and the optional one that the contract asks for without naming it as required. What only
 * identifies something gets the first of its optional fields too, if `mayBeMore`: a change changes something.
 */
function exampleInput(contract: z.core.$ZodType, mayBeMore: boolean): Fields | undefined {
  const shape = shapeOf(contract);
  const names = Object.keys(shape);
  const required = names.filter((name) => shape[name]!._zod.optin === undefined);
  const changed = mayBeMore
    ? names.filter((name) => !required.includes(name) && hasExample(shape[name]!))
    : [];
  const example = pick(shape, [...required, ...(required.every(isIdentifier) ? changed.slice(0, 1) : [])]);
  if (example === undefined) return undefined;
  const [issue] = z.safeParse(contract, example).error?.issues ?? [];
  const asked = issue?.path.length === 1 ? String(issue.path[0]) : "";
  return asked in shape && !(asked in example) ? pick(shape, [...Object.keys(example), asked]) : example;
}

const isIdentifier = (name: string) => /id$/i.test(name);

function pick(shape: Shape, names: string[]): Fields | undefined {
  const values = names.map((name) => [name, exampleOf(shape[name]!)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

const hasExample = (contract: z.core.$ZodType) => exampleOf(contract) !== undefined;

/** The example of a field or, without one, of its own required fields. */
function exampleOf(contract: z.core.$ZodType): unknown {
  const [example] = explanation(contract).examples ?? [];
  if (example !== undefined) return example;
  const shape = shapeOf(contract);
  return Object.keys(shape).length === 0 ? undefined : exampleInput(contract, true);
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The fields of an object, which may be optional or refined. Empty for anything else. */
function shapeOf(contract: z.core.$ZodType): Shape {
  const { def } = (contract as z.core.$ZodTypes)._zod;
  if (def.type === "object") return def.shape;
  if (def.type === "pipe") return shapeOf(def.in);
  return "innerType" in def ? shapeOf(def.innerType) : {};
}
