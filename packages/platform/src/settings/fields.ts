import { isIP } from "node:net";
import { isCurrency } from "@purser/core";
import { z } from "zod";

/** The documentation of a variable: its row of docs/settings.md. */
export interface VariableDocs {
  description: string;
  /** What applies if the variable is not set. Default: the default of the field, or none. */
  fallback?: string;
}

/**
 * Returns the documentation of a variable whose absence needs an explanation. For any other, use `describe`.
 *
 * @example
 * integerBetween(1, 100).default(8).describe("The size of the pool.");
 * webUrl().optional().meta(variableDocs("`BASE_URL`", "The base URL of links in mails."));
 */
export function variableDocs(fallback: string, description: string) {
  return { description, fallback } satisfies VariableDocs;
}

/** A variable that `parse` reads. If it returns null, the start fails with "<NAME> must be <expectation>". */
export function variable<Value>(expectation: string, parse: (text: string) => Value | null) {
  // Report the expectation, never the value: it may be a secret in the wrong variable.
  return z.string({ error: `must be ${expectation}` }).transform((text, context): Value => {
    const value = parse(text.trim());
    if (value !== null) return value;
    context.addIssue(`must be ${expectation}`);
    return z.NEVER;
  });
}

/** Both bounds are included. */
export const integerBetween = (minimum: number, maximum: number) =>
  variable(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : null;
  });

export const share = () =>
  variable("a number from 0 to 1", (text) =>
    /^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : null,
  );

export const flag = () => variable("0, 1, true or false", (text) => flags.get(text.toLowerCase()) ?? null);
const flags = new Map([
  ["0", false],
  ["false", false],
  ["1", true],
  ["true", true],
]);

/** Upper and lower case differ. */
export const oneOf = <const Value extends string>(...values: Value[]) =>
  variable(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text) ?? null);

/** Text without spaces at its ends. `expectation` completes the sentence "<NAME> must be …". */
export const nonEmptyText = (expectation: string, minimumLength = 1) =>
  variable(expectation, (text) => (text.length >= minimumLength ? text : null));

/** A number that is a name, such as that of a store: it stays text, with its leading zeros. */
export const digits = (expectation: string) =>
  variable(expectation, (text) => (/^\d{1,20}$/.test(text) ? text : null));

export const hostname = () =>
  variable("a host name or an IP address to listen on", (text) => (/^[\w.:%-]+$/.test(text) ? text : null));

/** An http or https address without a path. Its canonical form has no trailing slash. */
export const address = () => variable("an http or https address without a path, query or user", originOf);

/** The base address of links. It may have a path, because links append to it. */
export const webUrl = () =>
  variable("an http or https address without a query or user", (text) => {
    const url = parseWebUrl(text);
    return url && !url.search && !url.hash ? url.href.replace(/\/+$/, "") : null;
  });

export const origins = () => list("origins (scheme, host and port, no path), separated by commas", originOf);

export const emails = () =>
  list(
    "e-mail addresses, separated by commas",
    (text) => z.email().safeParse(text.toLowerCase()).data ?? null,
  );

export const proxies = () =>
  list("IP addresses or CIDR blocks, separated by commas", (text) => {
    const [ip = "", prefix, ...rest] = text.split("/");
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(ip) as 0 | 4 | 6];
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    return bits > 0 && fits && rest.length === 0 ? text : null;
  });

/** Several secrets of one kind, each of which is accepted, so that one can replace another without a gap. */
export const secretList = () => list("secrets, separated by commas", (text) => text);

export const currencies = () =>
  list("ISO 4217 codes, separated by commas", (text) => (isCurrency(text) ? text : null));

export const databaseAddress = () =>
  variable("an address of the form postgres://user:password@host:5432/database", (text) => {
    const url = URL.parse(text);
    return url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== "" ? url : null;
  }).transform((url, context) => {
    // Providers add them to their addresses. One is only for libpq, and the pools have a limit of their own for the other.
    for (const name of ["channel_binding", "connect_timeout"])
      if (url.searchParams.has(name)) url.searchParams.delete(name);
    const unknown = [...url.searchParams.keys()].filter((name) => !databaseParameters.includes(name));
    if (unknown.length === 0) return url.href;
    // Behind a `?` that is not encoded, part of a password would look like a name.
    const isPassword = url.search.includes("@");
    const named = (!isPassword && unknown.filter((name) => /^[a-z_]+$/.test(name)).join(", ")) || "others";
    context.addIssue(`must have no parameters but ${databaseParameters.join(", ")}, and has ${named}`);
    return z.NEVER;
  });

/** Both drivers know these parameters of an address. The server would get any other one as a setting, and refuse most. */
const databaseParameters = [
  "host",
  "sslmode",
  "ssl",
  "sslnegotiation",
  "target_session_attrs",
  "options",
  "application_name",
];

export const mailServer = () =>
  variable("an address of the form smtp://user:password@host:587 or smtps://…, or none", (text) => {
    if (text === "none") return text;
    const url = URL.parse(text);
    return url && /^smtps?:$/.test(url.protocol) && url.hostname !== "" ? text : null;
  });

/** An address, or a name and an address. Only the name may be in quotes: Docker's `--env-file` keeps those around the value. */
export const sender = () =>
  variable("a sender such as Purser <purser@example.com>, not in quotes", (text) => {
    const [, named, bare] = /^(?:"[^"<>\r\n]*"\s*|[^"<>\r\n]*)<([^<>]+)>$|^([^"<>]+)$/.exec(text) ?? [];
    return /^[^\s@,]+@[^\s@,']+$/.test(named ?? bare ?? "") ? text : null;
  });

export const encryptionKeys = () =>
  variable(
    'keys of 32 bytes as version:base64, separated by commas, such as the output of: echo "1:$(openssl rand -base64 32)"',
    parseKeys,
  );

/** Parses versioned keys, in order. Returns null if one is malformed or a version occurs twice. */
export function parseKeys(text: string): { version: number; key: Buffer }[] | null {
  const keys = text.split(",").map((entry) => {
    const [, version, encoded] = /^\s*([1-9]\d{0,8}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(entry) ?? [];
    return { version: Number(version), key: Buffer.from(encoded ?? "", "base64") };
  });
  const valid = keys.every(({ key }) => key.length === 32);
  const distinct = new Set(keys.map(({ version }) => version)).size === keys.length;
  return valid && distinct ? keys : null;
}

function list(expectation: string, parse: (text: string) => string | null) {
  return variable(expectation, (text) => {
    const items = text.split(",").filter((item) => item.trim() !== "");
    const parsed = items.map((item) => parse(item.trim()));
    return parsed.every((item) => item !== null) ? [...new Set(parsed)] : null;
  });
}

function originOf(text: string): string | null {
  const url = parseWebUrl(text);
  // A URL may have it in its host, but CORS compares origins as they are, and better-auth would trust all that match.
  const isPattern = text.includes("*");
  return url && url.pathname === "/" && !url.search && !url.hash && !isPattern ? url.origin : null;
}

function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null;
}
