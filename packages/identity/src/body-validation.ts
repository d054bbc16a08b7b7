import { type Issue, Name, Problem, WebUrl, text, userRoles, validationFailed } from "@purser/core";
import { z } from "zod";
import { queryIssues } from "./query-validation.ts";

export type Body = Record<string, unknown>;

/** Any text under /api/auth: tokens, links, what a key is for. */
const Text = text(2048);
const EmailText = text(254);
const Image = WebUrl.nullable();
const Role = z.preprocess(single, z.enum(userRoles));
const century = 100 * 365.25 * 86_400;

/** Fields that better-auth takes as they come. What is not here gets no more than the general rules. */
const fields = new Map<string, z.ZodType>([
  ["name", Name],
  ["image", Image],
  ["email", EmailText],
  ["newEmail", EmailText],
  ["role", Role],
  // What an administrator may write of another user: no address and no mark of it being verified.
  ["data", z.strictObject({ name: Name.optional(), image: Image.optional(), role: Role.optional() })],
  // In seconds: the end must be an instant that a database can hold.
  ["banExpiresIn", z.int().min(1).max(century)],
  // better-auth looks the names up in an object, and finds what every object has.
  [
    "permissions",
    z.unknown().refine(hasNamesOfItsOwn, { error: "Must not have names that every object has" }),
  ],
  ["metadata", z.unknown().refine(isSmall, { error: "Must not be larger than 16 kB" })],
]);

/** JSON may be nested deeper than a call stack; no input of ours is. */
const deepest = 6;
/** Nor has any so many values, each of which takes a while to look at; and nobody reads so many faults. */
const mostValues = { body: 10_000, query: 1000 };
const mostIssues = 100;
const tooMany: Issue = { path: [], code: "too_big", message: "Has too many values" };

/** Throws UNSUPPORTED_MEDIA_TYPE for a body that is not JSON in UTF-8 by its type. An absent one is fine. */
export function assertJson(headers: Headers, body: ArrayBuffer): void {
  if (body.byteLength === 0) return;
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charsets = parameters.map(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? "utf-8",
  );
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/.test(type.trim());
  if (!isJson || charsets.some((charset) => charset !== "utf-8")) throw new Problem("UNSUPPORTED_MEDIA_TYPE");
}

/** Reads a body that is an object, within the limits of every input. Throws MALFORMED_JSON, VALIDATION_FAILED. */
export function readBody(body: ArrayBuffer): Body {
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw validationFailed([{ path: [], code: "invalid_type", message: "The body must be an object" }]);
  }
  const issues = generalIssues(value);
  if (issues.length > 0) throw validationFailed(issues);
  // Without a prototype: "__proto__" is a field like any other then, which better-auth does not know.
  const input: Body = Object.create(null);
  for (const [name, given] of Object.entries(value)) {
    const checked = fields.get(name)?.safeParse(given) ?? { success: true, data: given as unknown };
    if (checked.success) input[name] = checked.data;
    else issues.push(...fieldIssues(name, checked.error));
  }
  if (issues.length > 0) throw validationFailed(issues);
  return input;
}

/** Checks the query string of an endpoint. Throws VALIDATION_FAILED. */
export function checkQuery(path: string, query: URLSearchParams): void {
  if (query.size > mostValues.query) throw validationFailed([tooMany]);
  const issues: Issue[] = [];
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of query) {
    issues.push(...generalIssues({ [name]: value }));
    if (names.has(name)) repeated.add(name);
    names.add(name);
  }
  // Only the filter of a list of users may be several values.
  repeated.delete("filterValue");
  for (const name of repeated) issues.push({ path: [name], code: "repeated", message: "Must be given once" });
  for (const issue of queryIssues(path, query)) {
    issues.push({ path: issue.path.map(String), code: issue.code, message: issue.message });
  }
  if (issues.length > 0) throw validationFailed(issues);
}

/** What no input may hold, whatever it is for: found one level after the other, up to a limit of work. */
function generalIssues(input: object): Issue[] {
  const issues: Issue[] = [];
  const enough = mostValues.body + 1;
  const found: { value: unknown; path: (string | number)[] }[] = [{ value: input, path: [] }];
  // The list grows while it is read.
  for (const [index, { value, path }] of found.entries()) {
    if (index === enough) issues.push(tooMany);
    if (index === enough || issues.length >= mostIssues) break;
    const name = path.at(-1);
    if (typeof name === "string") issues.push(...textIssues(name, path.slice(0, -1)));
    if (path.length > deepest)
      issues.push({ path: path.slice(0, 1), code: "too_deep", message: "Is nested too deep" });
    else if (typeof value === "string") issues.push(...textIssues(value, path));
    else if (Array.isArray(value)) {
      for (const [place, item] of value.slice(0, enough).entries())
        found.push({ value: item, path: [...path, place] });
    } else if (typeof value === "object" && value !== null) {
      for (const [field, item] of Object.entries(value).slice(0, enough))
        found.push({ value: item, path: [...path, field] });
    }
  }
  return issues;
}

function fieldIssues(name: string, { issues }: z.ZodError): Issue[] {
  return issues.map(({ path, code, message }) => ({ path: [name, ...path.map(String)], code, message }));
}

function textIssues(value: string, path: (string | number)[]): Issue[] {
  const { error } = Text.safeParse(value);
  return (error?.issues ?? []).map(({ code, message }) => ({ path, code, message }));
}

function parse(body: ArrayBuffer): unknown {
  if (body.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Problem("MALFORMED_JSON");
  }
}

function hasNamesOfItsOwn(value: unknown): boolean {
  return typeof value !== "object" || value === null || !Object.keys(value).some((name) => name in {});
}

function isSmall(metadata: unknown): boolean {
  return JSON.stringify(metadata).length <= 16_384;
}

/** better-auth takes a list of roles, too; ours know one at a time. */
function single(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
