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

/** A module that makes the same call in TypeScript: with the client, or for accounts with fetch. */
export function typeScriptSample(operation: Operation, input: SampleInput, baseUrl: string): string {
  return operation.route === undefined
    ? fetchSample(operation, input, baseUrl)
    : clientSample(operation, input, baseUrl);
}

function clientSample(operation: Operation, input: SampleInput, baseUrl: string): string {
  const fields = contractInput(operation, input);
  const argument = Object.keys(fields).length > 0 ? literal(fields) : "";
  const call = `await purser.${operation.operationId}(${argument})`;
  const isVoid = operation.route!.status === 204;
  const token = isPublic(operation) ? "" : ", token: process.env.TOKEN";
  return `import { createPurserClient } from "@purser/client";

const purser = createPurserClient({ baseUrl: ${JSON.stringify(baseUrl)}${token} });
${isVoid ? call : `const result = ${call}`};${isVoid ? "" : "\nconsole.log(result);"}`;
}

function fetchSample(operation: Operation, input: SampleInput, baseUrl: string): string {
  const { method } = operation;
  const hasBody = Object.keys(input.body).length > 0;
  const headers = [
    ...(isPublic(operation) ? [] : ["authorization: `Bearer ${process.env.TOKEN}`"]),
    ...(hasBody ? ['"content-type": "application/json"'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(hasBody ? [`body: JSON.stringify(${literal(input.body, "  ")})`] : []),
  ];
  const url = JSON.stringify(baseUrl + addressOf(operation, input));
  const request = options.length === 0 ? url : `${url}, {\n  ${options.join(",\n  ")},\n}`;
  const token = opensSession(operation) ? 'response.headers.get("set-auth-token"), ' : "";
  return `const response = await fetch(${request});\nconsole.log(${token}await response.json());`;
}

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
