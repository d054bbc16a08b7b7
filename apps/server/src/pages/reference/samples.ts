import type { Operation } from "./document.ts";
import { type SampleInput, contractInput } from "./sample-input.ts";

/**
 * A request with curl, for a shell in which TOKEN is the reader's bearer token. It shows the headers of a response that
 * carries a token.
 */
export function curlSample(operation: Operation, input: SampleInput, baseUrl: string): string {
  const { method } = operation;
  const hasBody = Object.keys(input.body).length > 0;
  const url = baseUrl + addressOf(operation, input);
  const options = [
    ...(method === "GET" || (method === "POST" && hasBody) ? [] : [`-X ${method}`]),
    ...(isPublic(operation) ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(hasBody ? ["-H 'content-type: application/json'", `-d ${quoted(json(input.body))}`] : []),
  ];
  const command = `curl${opensSession(operation) ? " -i" : ""} ${url.includes("?") ? `"${url}"` : url}`;
  return [command, ...options].join(" \\\n  ");
}

/** A module that makes the same call with the client. */
export function typeScriptSample(operation: Operation, input: SampleInput, baseUrl: string): string {
  const client = operation.route === undefined ? clientOfAccounts : clientOfProcedures;
  const fields = contractInput(operation, input);
  const argument = Object.keys(fields).length > 0 ? literal(fields) : "";
  const call = `${client.name}.${client.method(operation)}(${argument})`;
  const token = isPublic(operation) ? "" : ", token: process.env.TOKEN";
  return `import { ${client.create} } from "${client.module}";

const ${client.name} = ${client.create}({ baseUrl: ${JSON.stringify(baseUrl)}${token} });
${statementsOf(operation, call)}`;
}

function statementsOf({ route }: Operation, call: string): string {
  if (route?.type === "subscription") return `for await (const value of ${call}) console.log(value);`;
  return route?.status === 204 ? `await ${call};` : `const result = await ${call};\nconsole.log(result);`;
}

const clientOfProcedures = {
  module: "@purser/client",
  create: "createPurserClient",
  name: "purser",
  method: ({ operationId }: Operation) => operationId,
};

const clientOfAccounts = {
  module: "@purser/client/auth",
  create: "createPurserAuth",
  name: "auth",
  /** `/api/auth/sign-in/email` is `signIn.email`. */
  method: ({ path }: Operation) =>
    path
      .replace("/api/auth/", "")
      .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      .replaceAll("/", "."),
};

function addressOf({ path }: Operation, input: SampleInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.path[name])),
  );
  const query = new URLSearchParams(
    Object.entries(input.query).map(([name, value]): [string, string] => [name, text(value)]),
  );
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

const text = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

/** An operation of accounts without input is about the session that it gets, also where it requires none. */
function isPublic({ security, route, contract }: Operation): boolean {
  const isAboutSession = route === undefined && Object.keys(contract.shape).length === 0;
  return security?.length === 0 && !isAboutSession;
}

function opensSession({ responses }: Operation): boolean {
  return Object.values(responses).some(({ headers }) => "set-auth-token" in headers);
}

const longestLine = 60;

function json(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= longestLine ? line : JSON.stringify(value, null, 2);
}

/** Quotes a text for the shell. */
const quoted = (argument: string) => `'${argument.replaceAll("'", String.raw`'\''`)}'`;

/** Writes a value as TypeScript, on one line if it is short. */
function literal(value: unknown, indent = ""): string {
  if (value instanceof Date) return `new Date("${value.toISOString()}")`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([name, item]) => `${name}: ${literal(item, deeper)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const space = isList ? "" : " ";
  const line = parts.length === 0 ? open + close : `${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length + indent.length <= longestLine && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join("")}${indent}${close}`;
}
