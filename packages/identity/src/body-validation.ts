import { type Issue, Name, Problem, WebUrl, issuesOf, text, userRoles, validationFailed } from "@purser/core";
import { z } from "zod";
import { authOperations } from "./contract/index.ts";
import { findQueryError } from "./query-validation.ts";

export type Body = Record<string, unknown>;

/** Any text under /api/auth, for example a token, a link or the name of a key. */
const Text = text(2048);
const EmailText = text(254);
const Image = WebUrl.nullable();
const Role = z.preprocess(single, z.enum(userRoles));

/** Fields that better-auth does not validate. All other fields follow the general rules only. */
const fields = new Map<string, z.ZodType>([
  ["name", Name],
  ["image", Image],
  ["email", EmailText],
  ["newEmail", EmailText],
  ["role", Role],
  // What an administrator may change about another user. Never the address or its verification.
  ["data", z.strictObject({ name: Name.optional(), image: Image.optional(), role: Role.optional() })],
  // better-auth looks the names up in a plain object, so it would also find inherited properties.
  [
    "permissions",
    z.unknown().refine(hasOnlyOwnNames, { error: "Must not contain the names of inherited properties" }),
  ],
  ["metadata", z.unknown().refine(isSmall, { error: "Must not be larger than 16 kB" })],
]);

/** The deepest valid nesting. Deeper JSON could overflow the call stack. */
const maxDepth = 6;
/** Limits the time of a check and the size of a response. */
const maxValues = { body: 10_000, query: 1000 };
const maxIssues = 100;
const tooMany: Issue = { path: [], code: "too_big", message: "Has too many values" };

/** Parses and validates the body, an object. Throws MALFORMED_JSON or VALIDATION_FAILED. */
export function readBody(body: Uint8Array): Body {
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw validationFailed([{ path: [], code: "invalid_type", message: "The body must be an object" }]);
  }
  const issues = generalIssues(value);
  if (issues.length > 0) throw validationFailed(issues);
  // Without a prototype, "__proto__" is an ordinary unknown field.
  const input: Body = Object.create(null);
  for (const [name, raw] of Object.entries(value)) {
    const checked = fields.get(name)?.safeParse(raw) ?? { success: true, data: raw as unknown };
    if (checked.success) input[name] = checked.data;
    else issues.push(...issuesOf(checked.error, name));
  }
  if (issues.length > 0) throw validationFailed(issues);
  return input;
}

/** Fields whose address the browser is redirected to. */
export const redirectFields = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"];

/** Fields that no contract names. better-auth's own client may send them. */
const tolerated = Object.fromEntries(
  [...redirectFields, "disableSession", "issuer", "method", "prefix", "rememberMe"].map((name) => [
    name,
    z.unknown().optional(),
  ]),
);

const contracts = new Map<string, z.ZodType>(
  authOperations
    .filter(({ method }) => method === "POST")
    .map(({ path, input }) => [path, z.strictObject({ ...tolerated, ...input.shape })]),
);

/**
 * Throws VALIDATION_FAILED for a body that breaks the endpoint's contract. better-auth ignores unknown fields, and takes
 * fields as optional that the contract requires: it deletes the account of a recent session without the password.
 */
export function assertContract(path: string, body: Body): void {
  const error = contracts.get(path)?.safeParse(body).error;
  if (error) throw validationFailed(issuesOf(error));
}

/** Validates the query string of an endpoint. Throws VALIDATION_FAILED. */
export function checkQuery(path: string, query: URLSearchParams): void {
  if (query.size > maxValues.query) throw validationFailed([tooMany]);
  const issues: Issue[] = [];
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of query) {
    issues.push(...generalIssues({ [name]: value }));
    if (names.has(name)) repeated.add(name);
    names.add(name);
  }
  // The user list can be filtered by several values.
  repeated.delete("filterValue");
  for (const name of repeated)
    issues.push({ path: [name], code: "repeated", message: "Must be given only once" });
  const error = findQueryError(path, query);
  if (error) issues.push(...issuesOf(error));
  if (issues.length > 0) throw validationFailed(issues);
}

/** Checks the rules that apply to every input, breadth first, up to a limit of work. */
function generalIssues(input: object): Issue[] {
  const issues: Issue[] = [];
  const limit = maxValues.body + 1;
  const found: { value: unknown; path: (string | number)[] }[] = [{ value: input, path: [] }];
  // The loop appends to the list that it iterates over.
  for (const [index, { value, path }] of found.entries()) {
    if (index === limit) issues.push(tooMany);
    if (index === limit || issues.length >= maxIssues) break;
    const name = path.at(-1);
    if (typeof name === "string") issues.push(...textIssues(name, path.slice(0, -1)));
    if (path.length > maxDepth)
      issues.push({ path: path.slice(0, 1), code: "too_deep", message: "Is nested too deeply" });
    else if (typeof value === "string") issues.push(...textIssues(value, path));
    else if (Array.isArray(value)) {
      for (const [position, item] of value.slice(0, limit).entries())
        found.push({ value: item, path: [...path, position] });
    } else if (typeof value === "object" && value !== null) {
      for (const [field, item] of Object.entries(value).slice(0, limit))
        found.push({ value: item, path: [...path, field] });
    }
  }
  return issues;
}

function textIssues(value: string, path: (string | number)[]): Issue[] {
  const { error } = Text.safeParse(value);
  return (error?.issues ?? []).map(({ code, message }) => ({ path, code, message }));
}

function parse(body: Uint8Array): unknown {
  if (body.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Problem("MALFORMED_JSON");
  }
}

function hasOnlyOwnNames(value: unknown): boolean {
  return typeof value !== "object" || value === null || !Object.keys(value).some((name) => name in {});
}

function isSmall(metadata: unknown): boolean {
  return JSON.stringify(metadata).length <= 16_384;
}

/** better-auth also accepts a list of roles. A user here has exactly one. */
function single(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
