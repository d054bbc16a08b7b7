import { type KeyObject, createHmac, timingSafeEqual } from "node:crypto";
import { Problem } from "@purser/core";
import { parseCookies } from "better-call";

/** The credentials of a request. A bearer token or an API key excludes the cookie. */
export interface Credentials {
  /** The session token of a bearer token with a valid signature. */
  bearer: string | null;
  /** An API key, as presented. */
  apiKey: string | null;
  /** The session token of a cookie with a valid signature. */
  cookie: string | null;
}

/** What reads the headers of a request, by names in lower case. */
export interface HeaderReader {
  get(name: Lowercase<string>): string | null;
}

/**
 * Reads the credentials without a query. Throws UNAUTHENTICATED for a bearer token with an invalid signature.
 * A cookie with an invalid signature counts as absent, because a browser sends cookies unasked.
 */
export function readCredentials(headers: HeaderReader, secret: KeyObject, cookieName: string): Credentials {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  const exclusive = authorization !== null || apiKey !== null;
  return {
    bearer: authorization === null ? null : readBearer(authorization, secret),
    apiKey,
    cookie: exclusive ? null : verified(readCookie(headers, cookieName), secret),
  };
}

/** Returns the bearer token of a session: its token and the signature, in the format of better-auth. */
export function signToken(token: string, secret: KeyObject): string {
  return `${token}.${hmac(token, secret).toString("base64")}`;
}

/** Returns the token of a signed value, or null if the signature is invalid. */
export function verified(signed: string | null, secret: KeyObject): string | null {
  const dot = signed?.lastIndexOf(".") ?? -1;
  if (signed === null || dot < 1) return null;
  const token = signed.slice(0, dot);
  const signature = Buffer.from(signed.slice(dot + 1), "base64");
  const expected = hmac(token, secret);
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null;
}

/** Returns the value of a cookie, or null. better-auth reads cookies with the same parser. */
export function readCookie(headers: HeaderReader, name: string): string | null {
  const header = headers.get("cookie");
  return header === null ? null : (parseCookies(header).get(name) ?? null);
}

/**
 * Replaces the Cookie header by these cookies of it, each once and escaped. better-auth has a second parser, for bearer
 * tokens. Both read the result alike, and neither sees a user whose attempts are not counted.
 */
export function restrictCookies(headers: Headers, names: readonly string[]): void {
  const cookies = parseCookies(headers.get("cookie") ?? "");
  headers.delete("cookie");
  const kept = names.flatMap((name) => {
    const value = cookies.get(name);
    return value ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  if (kept.length > 0) headers.set("cookie", kept.join("; "));
}

function readBearer(authorization: string, secret: KeyObject): string {
  const [, value] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  const token = value === undefined ? null : verified(decoded(value), secret);
  if (token === null) throw new Problem("UNAUTHENTICATED");
  return token;
}

function hmac(token: string, secret: KeyObject): Buffer {
  return createHmac("sha256", secret).update(token).digest();
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
