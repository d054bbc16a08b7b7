import { type AuthOperation, authClientOperations, passwordLength } from "@purser/identity/contract";
import type { z } from "zod";
import { banner, comment, createContractWriter, declaration, isTypeName } from "./contract.ts";
import { exampleCall } from "./example.ts";
import { type Tree, nest, writeTree } from "./tree.ts";

interface Operation extends Omit<AuthOperation, "path"> {
  /** The names of its method, from the outermost group inwards: `twoFactor`, `enable`. */
  path: string[];
  address: string;
  /** The prefix of its type names. */
  name: string;
}

/** Generates the files of `@purser/client/auth` from the contract of /api/auth. Returns the text by file name. */
export function generateAuthFiles(): Map<string, string> {
  const operations = authClientOperations.map((operation): Operation => {
    const path = operation.path.slice(1).split("/").map(camelCase);
    // Who follows a link continues on a page, to which the response redirects. A call needs the response.
    const input = operation.usesUpToken ? operation.input.omit({ callbackURL: true }) : operation.input;
    return {
      ...operation,
      input,
      path,
      address: operation.path,
      name: `Auth${path.map(capitalized).join("")}`,
    };
  });
  return new Map([
    ["purser-auth.ts", `${banner}\n${imports}\n${purserAuth(operations)}`],
    ["auth-operations.ts", `${banner}\n${table(operations)}`],
    ["password-length.ts", `${banner}\n${passwordLengths}`],
  ]);
}

const { minimum, maximum } = passwordLength;
const passwordLengths = `${comment(["How many characters a new password has."])}export const passwordLength = { minimum: ${minimum}, maximum: ${maximum} } as const;\n`;

const imports = 'import type { AuthCall, SessionCall } from "../auth-methods.ts";\n';

function purserAuth(operations: Operation[]): string {
  const writer = createContractWriter();
  const own = operations.flatMap(({ name, input, output }) => {
    const result = writer.type(output, "output");
    return [
      declaration(`${name}Input`, writer.type(input, "input")),
      ...(isTypeName(result) ? [] : [declaration(`${name}Output`, result)]),
    ];
  });
  const tree: Tree<Operation> = nest(operations);
  const client = writeTree(tree, ({ path, name, input, output, opensSession, summary, returns }) => {
    const result = writer.type(output, "output");
    const isOptional = Object.values(input.shape).every((field) => field._zod.optin !== undefined);
    const types = [
      `${name}Input${isOptional ? " | undefined" : ""}`,
      isTypeName(result) ? result : `${name}Output`,
    ];
    const example = exampleCall("auth", { path, input });
    return {
      notes: comment([
        summary,
        `@returns ${returns}`,
        ...(example === undefined ? [] : [`@example\n${example}`]),
      ]),
      text: `${opensSession ? "SessionCall" : "AuthCall"}<${types.join(", ")}>`,
    };
  });
  const description = "Sign-up, sign-in, sessions, the second factor and API keys, as methods.";
  return [
    ...writer.declarations().values(),
    ...own,
    `${comment([description])}export interface PurserAuth ${client}`,
  ]
    .map((text) => `${text}\n`)
    .join("\n");
}

/** What the client needs at run time: addresses, and which fields hold dates or anything of the caller's own. */
function table(operations: Operation[]): string {
  const addresses = operations.map(({ method, address, opensSession, usesUpToken }) =>
    [method, address, ...(opensSession ? ["session"] : []), ...(usesUpToken ? ["once"] : [])].join(" "),
  );
  const fields = operations.flatMap(({ output }) => fieldsOf(output));
  const named = (type: string) => [
    ...new Set(fields.filter((field) => field.type === type).map(({ name }) => name)),
  ];
  return [
    `export const authOperations = ${JSON.stringify(addresses)} as const;\n`,
    `/** Fields that hold dates, as text in JSON. */\nexport const authDateFields = ${JSON.stringify(named("date"))};\n`,
    `/** Fields with whatever the caller stored. */\nexport const authOpaqueFields = ${JSON.stringify(named("record"))};\n`,
  ].join("\n");
}

interface Field {
  name: string;
  type: string;
}

function fieldsOf(contract: z.core.$ZodType): Field[] {
  const { def } = (contract as z.core.$ZodTypes)._zod;
  if (def.type === "object") {
    return Object.entries(def.shape).flatMap(([name, field]) => [
      { name, type: innermost(field)._zod.def.type },
      ...fieldsOf(field),
    ]);
  }
  if (def.type === "array") return fieldsOf(def.element);
  return "innerType" in def ? fieldsOf(def.innerType) : [];
}

function innermost(contract: z.core.$ZodType): z.core.$ZodType {
  const { def } = (contract as z.core.$ZodTypes)._zod;
  return "innerType" in def ? innermost(def.innerType) : contract;
}

const camelCase = (text: string) => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
