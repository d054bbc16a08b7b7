import { problemCatalog } from "@purser/core";
import type { AnyTRPCRouter } from "@trpc/server";
import { comment, createContractWriter, declaration, indent, key } from "./contract.ts";
import { type Procedure, type Tree, nest, readProcedures } from "./procedures.ts";

interface Method extends Procedure {
  /** The names that its types have, before `Input` and `Output`. */
  name: string;
  /** Whether it may be called without an input. */
  isInputOptional: boolean;
}

/** Everything in the client that is made from the router: file name → text. */
export function generateFiles(router: AnyTRPCRouter): Map<string, string> {
  const methods = readProcedures(router).map((procedure) => ({
    ...procedure,
    name: procedure.path.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(""),
    isInputOptional: procedure.input._zod.optin !== undefined,
  }));
  const tree = nest<Method>(methods);
  const files = {
    "purser-client.ts": `${imports}\n${contracts(methods)}\n${purserClient(tree)}`,
    "procedures.ts": `export const procedures = ${group(tree, ({ type }) => `"${type}"`, ",")} as const;\n`,
    "problem-code.ts": problemCode(),
    "app-router.ts": publishedRouter(tree),
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, `${banner}\n${text}`]));
}

const imports = 'import type { CallOptions, MutationOptions } from "../options.ts";\n';
const banner = "// Generated from the router's contracts by `pnpm generate`; edit those.\n";

function contracts(methods: Method[]): string {
  const writer = createContractWriter();
  const own = methods.flatMap((method) =>
    (["input", "output"] as const).map((side) => {
      const name = `${method.name}${side === "input" ? "Input" : "Output"}`;
      return [
        name,
        declaration(
          name,
          written(method, () => writer.type(method[side], side)),
        ),
      ] as const;
    }),
  );
  const all = [...writer.declarations(), ...own];
  const names = all.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} would be declared twice`);
  return all.map(([, text]) => `${text}\n`).join("\n");
}

/** Says which procedure it was whose contract cannot be written. */
function written(method: Method, write: () => string): string {
  try {
    return write();
  } catch (error) {
    throw new Error(`${method.path.join(".")}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function purserClient(tree: Tree<Method>): string {
  // Methods are written as properties: they need no `this`, and linters let them be handed on, as to paginate().
  const body = group(tree, ({ name, type, isInputOptional }) => {
    const input = isInputOptional ? `input?: ${name}Input` : `input: ${name}Input`;
    const options = type === "query" ? "CallOptions" : "MutationOptions";
    return `(${input}, options?: ${options}) => Promise<${name}Output>`;
  });
  return [
    comment([
      "Every procedure of Purser, as a method.",
      "A method rejects with a `PurserError`. Beside the codes that it names itself, any may have `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and those of the client, and mutations `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.",
    ]),
    `export interface PurserClient ${body}\n`,
  ].join("");
}

function publishedRouter(tree: Tree<Method>): string {
  const record = group(tree, ({ name, type, isInputOptional }) => {
    const kind = type === "query" ? "TRPCQueryProcedure" : "TRPCMutationProcedure";
    const input = isInputOptional ? `Purser.${name}Input | undefined` : `Purser.${name}Input`;
    return `${kind}<{ meta: object; input: ${input}; output: Purser.${name}Output }>`;
  });
  return [
    'import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";\n',
    'import type { RouterTypes } from "../router-types.ts";\n',
    'import type * as Purser from "./purser-client.ts";\n\n',
    comment([
      "The router as `@trpc/client` needs to know it: procedures and errors, without what is behind them.",
    ]),
    `export type AppRouter = TRPCBuiltRouter<RouterTypes, ${record}>;\n`,
  ].join("");
}

function problemCode(): string {
  const members = Object.entries(problemCatalog).map(([code, [status, sentence]]) => {
    return `${comment([`${status}: ${sentence}`])}| "${code}"`;
  });
  return [
    comment([
      "What went wrong, by the name it has in the catalogue of Purser. A later server may know more of them.",
    ]),
    `export type ProblemCode =\n${indent(members.join("\n"))};\n`,
  ].join("");
}

/** Writes a tree as an object, one member a line, each leaf with what is known of it. */
function group(tree: Tree<Method>, leaf: (method: Method) => string, separator = ";"): string {
  const lines = [...tree].map(([name, node]) => {
    if (node instanceof Map) return `${key(name)}: ${group(node, leaf, separator)}${separator}`;
    return `${separator === ";" ? documentation(node) : ""}${key(name)}: ${leaf(node)}${separator}`;
  });
  return `{\n${indent(lines.join("\n"))}\n}`;
}

function documentation({ summary, errors }: Method): string {
  const codes = errors.map((code) => `- \`${code}\`: ${problemCatalog[code][1]}`);
  return comment(codes.length === 0 ? [summary] : [summary, `Refuses with\n${codes.join("\n")}`]);
}
