import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { compileFunction } from "node:vm";
import { Ajv, type ValidateFunction } from "ajv";
import { type VendorFact, refine } from "./facts.ts";
import type { ContractSchema } from "./schema.ts";

const require = createRequire(import.meta.url);
// Under Node's resolution, the types of these modules have no named exports.
const addFormats = require("ajv-formats") as (ajv: Ajv) => Ajv;
const { default: standaloneCode } = require("ajv/dist/standalone") as {
  default: (ajv: Ajv, names: Record<string, string>) => string;
};

/** The repository's folder. */
export const root = resolve(import.meta.dirname, "../../..");

/** The compiled validators of a vendor's contract. Compiling takes too long to do it in every test process. */
export interface StoredValidators {
  /** The names of the operations, such as `POST /v1/cards`. */
  operations: string[];
  /** Modules that export a validator per name: for JSON, and for text that is read as its type. */
  code: { exact: string; coercing: string };
}

export function storedAt(vendor: string): string {
  return resolve(root, "node_modules/.cache/purser/vendors", `${vendor}.json`);
}

/** A part of a contract, such as the response of an operation. */
export function partName(...path: string[]): string {
  return `check_${Buffer.from(path.join(" ")).toString("hex")}`;
}

/** Form fields and query parameters are text. */
const coerced = new Set(["query", "form"]);

/** Compiles the validators of all requests, responses and webhooks of a contract. */
export function compileValidators(types: ContractSchema, facts: readonly VendorFact[]): StoredValidators {
  const schema = refine(types, facts);
  const parts = Object.entries(schema.operations).flatMap(([call, { properties = {} }]) =>
    Object.keys(properties).map((part) => ({ call, part, path: ["operations", call, "properties", part] })),
  );
  const codeOf = (coerceTypes: false | "array", all: [name: string, path: string[]][]) => {
    const ajv = addFormats(
      new Ajv({ allErrors: true, strict: false, logger: false, coerceTypes, code: { source: true } }),
    );
    ajv.addSchema(schema, "vendor");
    return standaloneCode(ajv, Object.fromEntries(all.map(([name, path]) => [name, pointerTo(path)])));
  };
  const named = (isCoerced: boolean) =>
    parts
      .filter(({ part }) => coerced.has(part) === isCoerced)
      .map(({ call, part, path }): [string, string[]] => [partName(call, part), path]);
  const webhooks = Object.keys(schema.webhooks).map((type): [string, string[]] => [
    partName("webhook", type),
    ["webhooks", type],
  ]);
  return {
    operations: Object.keys(schema.operations),
    code: { exact: codeOf(false, [...named(false), ...webhooks]), coercing: codeOf("array", named(true)) },
  };
}

function pointerTo(path: string[]): string {
  const parts = path.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  return `vendor#/${parts.join("/")}`;
}

type Validators = Record<string, ValidateFunction | undefined>;

export function loadValidators(vendor: string): { operations: string[]; validators: Validators } {
  const { operations, code } = JSON.parse(readFileSync(storedAt(vendor), "utf8")) as StoredValidators;
  const load = (text: string) => {
    const validators: Validators = {};
    compileFunction(text, ["module", "exports", "require"])({}, validators, require);
    return validators;
  };
  return { operations, validators: { ...load(code.exact), ...load(code.coercing) } };
}
