import { currencyExponents, endedHoldReasons, problemCatalog } from "@purser/core";
import { authErrorCodes } from "@purser/identity";
import type { AnyTRPCRouter } from "@trpc/server";
import {
  type ContractWriter,
  banner,
  comment,
  createContractWriter,
  declaration,
  indent,
  isTypeName,
} from "./contract.ts";
import { exampleCall } from "./example.ts";
import { maxLengthsOf } from "./max-lengths.ts";
import { type Procedure, readProcedures } from "./procedures.ts";
import { type Tree, nest, writeTree } from "./tree.ts";

interface Method extends Procedure {
  /** The prefix of its type names, which end with `Input` and `Output`. */
  name: string;
  /** Whether it may be called without an input. */
  isInputOptional: boolean;
}

/** Generates the client's files from the router. Returns the text by file name. */
export function generateFiles(router: AnyTRPCRouter): Map<string, string> {
  const methods = readProcedures(router).map((procedure) => ({
    ...procedure,
    name: procedure.path.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(""),
    isInputOptional: procedure.input._zod.optin !== undefined,
  }));
  const tree = nest<Method>(methods);
  const writer = createContractWriter();
  const files = {
    "purser-client.ts": clientFile(`${contracts(methods, writer)}\n${purserClient(tree, writer)}`),
    "procedures.ts": `export const procedures = ${writeTree(tree, ({ type }) => ({ text: `"${type}"` }), ",")} as const;\n`,
    "csv-lists.ts": csvLists(methods),
    "read-paths.ts": readPathsFile(methods),
    "procedure-audiences.ts": procedureAudiences(methods),
    "problem-code.ts": problemCode(),
    "auth-error-code.ts": authErrorCode(),
    "currency-decimals.ts": currencyDecimals(),
    "ended-hold-reasons.ts": endedHolds(),
    "max-lengths.ts": maxLengths(methods),
    "app-router.ts": publishedRouter(tree),
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, `${banner}\n${text}`]));
}

function clientFile(text: string): string {
  const names = ["PurserList", "PurserMutation", "PurserQuery", "PurserStream"];
  return `${importUsed(names, "../methods.ts", text)}\n${text}`;
}

/** Imports those of the names that the text uses. */
function importUsed(names: readonly string[], module: string, text: string): string {
  const used = names.filter((name) => text.includes(`${name}<`) || text.includes(`<${name}`));
  return `import type { ${used.join(", ")} } from "${module}";\n`;
}

/** The types of methods in the client, and of procedures in tRPC's router. */
const kinds = {
  query: ["PurserQuery", "TRPCQueryProcedure"],
  mutation: ["PurserMutation", "TRPCMutationProcedure"],
  subscription: ["PurserStream", "TRPCSubscriptionProcedure"],
} as const;

function contracts(methods: Method[], writer: ContractWriter): string {
  const own = methods.flatMap((method) =>
    (["input", "output"] as const).map((side) => {
      const name = `${method.name}${side === "input" ? "Input" : "Output"}`;
      return [
        name,
        declaration(
          name,
          withProcedureName(method, () => writer.type(method[side], side)),
        ),
      ] as const;
    }),
  );
  const codes = methods.flatMap(({ name, path, errors }) => {
    if (errors.length === 0) return [];
    const description = `The codes with which \`${path.join(".")}\` may reject, besides those of every method.`;
    const type = errors.map((code) => JSON.stringify(code)).join(" | ");
    return [[`${name}ProblemCode`, declaration(`${name}ProblemCode`, type, description)] as const];
  });
  const all = [...writer.declarations(), ...own, ...codes];
  const names = all.map(([name]) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`${duplicate} would be declared twice`);
  return all.map(([, text]) => `${text}\n`).join("\n");
}

/** Adds the procedure's name to an error. */
function withProcedureName(method: Method, write: () => string): string {
  try {
    return write();
  } catch (error) {
    throw new Error(`${method.path.join(".")}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function purserClient(tree: Tree<Method>, writer: ContractWriter): string {
  const body = writeTree(tree, (method) => {
    const { name, type, isList, isInputOptional } = method;
    const input = isInputOptional ? `${name}Input | undefined` : `${name}Input`;
    const output = outputName(method, writer);
    const kind = isList ? "PurserList" : kinds[type][0];
    const text = `${kind}<${input}, ${isList ? output.replace(/\[\]$/, "") : output}>`;
    const example = exampleCall("purser", { ...method, isStream: type === "subscription" });
    return { notes: documentation(method, example), text };
  });
  return [
    comment([
      "Every procedure of Purser, as a method.",
      "Methods reject with a `PurserError`. Each method documents its own codes. Every method can also reject with `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and the client's own codes, and mutations with `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.",
    ]),
    `export interface PurserClient ${body}\n`,
  ].join("");
}

/** The type that editors show for a result. Names of contracts say more than those of procedures. */
function outputName({ name, output, isList }: Method, writer: ContractWriter): string {
  const type = writer.type(output, "output");
  if (isList && !/^\w+\[\]$/.test(type)) throw new Error(`${name}: the items of a list have a name`);
  return isTypeName(type) ? type : `${name}Output`;
}

function publishedRouter(tree: Tree<Method>): string {
  const record = writeTree(tree, (method) => {
    const { name, type, isList, isInputOptional } = method;
    const kind = kinds[type][1];
    const own = isList ? `WithCursor<Purser.${name}Input>` : `Purser.${name}Input`;
    const input = isInputOptional ? `${own} | undefined` : own;
    const output = type === "subscription" ? `StreamOf<Purser.${name}Output>` : `Purser.${name}Output`;
    const text = `${kind}<{ meta: object; input: ${input}; output: ${output} }>`;
    return { notes: documentation(method), text };
  });
  const text = [
    comment(["The router's type for `@trpc/client`: procedures and errors only."]),
    `export type AppRouter = TRPCBuiltRouter<RouterTypes, ${record}>;\n`,
  ].join("");
  const fromTrpc = ["TRPCBuiltRouter", ...Object.values(kinds).map(([, name]) => name)];
  return [
    importUsed(fromTrpc, "@trpc/server", text),
    importUsed(["RouterTypes", "StreamOf", "WithCursor"], "../router-types.ts", text),
    'import type * as Purser from "./purser-client.ts";\n\n',
    text,
  ].join("");
}

function csvLists(methods: Method[]): string {
  const lists = methods.filter(({ csvPath }) => csvPath !== undefined);
  const keyOf = ({ path }: Method) => JSON.stringify(path.join("."));
  const paths = lists.map((method) => `${keyOf(method)}: ${JSON.stringify(method.csvPath)},`);
  const inputs = lists.map((method) => `${keyOf(method)}: Purser.${method.name}Input;`);
  return [
    'import type * as Purser from "./purser-client.ts";\n\n',
    comment(["The REST addresses of the lists that the server also writes as CSV."]),
    `export const csvPaths = {\n${indent(paths.join("\n"))}\n} as const;\n\n`,
    comment(["The inputs of these lists."]),
    `export interface CsvInputs {\n${indent(inputs.join("\n"))}\n}\n`,
  ].join("");
}

function readPathsFile(methods: Method[]): string {
  const reads = methods.filter(({ readPath, type }) => readPath !== undefined && type === "query");
  const keyOf = ({ path }: Method) => JSON.stringify(path.join("."));
  const paths = reads.map((method) => `${keyOf(method)}: ${JSON.stringify(method.readPath)},`);
  const inputs = reads.map(
    (method) =>
      `${keyOf(method)}: Purser.${method.name}Input${method.isInputOptional ? " | undefined" : ""};`,
  );
  return [
    'import type * as Purser from "./purser-client.ts";\n\n',
    comment(["The REST addresses of everything that can be read, with the names of the input's fields."]),
    `export const readPaths = {\n${indent(paths.join("\n"))}\n} as const;\n\n`,
    comment(["The inputs of these reads."]),
    `export interface ReadInputs {\n${indent(inputs.join("\n"))}\n}\n`,
  ].join("");
}

function procedureAudiences(methods: Method[]): string {
  const names = methods.map(({ path }) => `| ${JSON.stringify(path.join("."))}`);
  return [
    comment(["A procedure by its path."]),
    `export type ProcedureName =\n${indent(names.join("\n"))};\n\n`,
    comment([
      "The procedures that are for owners of the organization, by group: the names of each in one text.",
    ]),
    `export const forOwners: ProceduresByGroup = ${JSON.stringify(namesByGroup(methods, "owner", "ownerOrKey"))};\n\n`,
    comment(["Those for administrators of the service."]),
    `export const forAdministrators: ProceduresByGroup = ${JSON.stringify(namesByGroup(methods, "administrator"))};\n\n`,
    "type ProceduresByGroup = Readonly<Record<string, string | undefined>>;\n",
  ].join("");
}

/** Few and short texts, because front ends load them with their first page. */
function namesByGroup(methods: Method[], ...audiences: Method["audience"][]): Record<string, string> {
  const own = methods.filter(({ audience }) => audiences.includes(audience));
  const groups = Map.groupBy(own, ({ path }) => path.slice(0, -1).join("."));
  return Object.fromEntries(
    [...groups].map(([group, members]) => [group, members.map(({ path }) => path.at(-1)).join(" ")]),
  );
}

function problemCode(): string {
  const members = Object.entries(problemCatalog).map(([code, [status, sentence]]) => {
    return `${comment([`${status}: ${sentence}`])}| "${code}"`;
  });
  const statuses = Object.entries(problemCatalog).map(([code, [status]]) => `${code}: ${status};`);
  return [
    comment(["The code of a problem. A later server may send codes that are not listed here."]),
    `export type ProblemCode =\n${indent(members.join("\n"))};\n\n`,
    comment(["The HTTP status of each code."]),
    `export interface ProblemStatus {\n${indent(statuses.join("\n"))}\n}\n`,
  ].join("");
}

/** Those that other addresses have too are problem codes. */
function authErrorCode(): string {
  const own = Object.entries(authErrorCodes).filter(([code]) => !(code in problemCatalog));
  const members = own.map(([code, sentence]) => `${comment([sentence])}| "${code}"`);
  return [
    comment(["The codes that only sign-in and accounts have. A later server may send others."]),
    `export type AuthErrorCode =\n${indent(members.join("\n"))};\n`,
  ].join("");
}

function currencyDecimals(): string {
  const entries = Object.entries(currencyExponents).map(
    ([currency, decimals]) => `${currency}: ${decimals},`,
  );
  return [
    comment(["The decimals of the currencies that do not have two (ISO 4217)."]),
    `export const currencyDecimals: Readonly<Record<string, number>> = {\n${indent(entries.join("\n"))}\n};\n`,
  ].join("");
}

function endedHolds(): string {
  return [
    comment(["The decline reasons of holds that ended without money."]),
    `export const endedHoldReasons: readonly string[] = ${JSON.stringify(endedHoldReasons)};\n`,
  ].join("");
}

function maxLengths(methods: Method[]): string {
  const entries = maxLengthsOf(methods).map(([field, length]) => `"${field}": ${length},`);
  return [
    comment(["The longest texts that mutations take, in characters."]),
    `export const maxLengths = {\n${indent(entries.join("\n"))}\n} as const;\n`,
  ].join("");
}

function documentation({ summary, access, returns, errors }: Method, example?: string): string {
  const codes = errors.map((code) => `- \`${code}\`: ${problemCatalog[code][1]}`);
  return comment([
    summary,
    ...(access === undefined ? [] : [access]),
    ...(codes.length === 0 ? [] : [`Errors:\n${codes.join("\n")}`]),
    ...(returns === undefined ? [] : [`@returns ${returns}`]),
    ...(example === undefined ? [] : [`@example\n${example}`]),
  ]);
}
