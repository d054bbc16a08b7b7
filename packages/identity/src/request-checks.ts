import { Problem, invalidField } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Platform } from "@purser/platform";
import { isMailPath } from "./account-mails.ts";
import type { UserLookup } from "./attempted-account.ts";
import { type Body, redirectFields } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import { readEmailChange, readVerification } from "./mails.ts";
import type { ResolveUser } from "./resolve-caller.ts";
import { AuthRefused } from "./responses.ts";
import type { Route } from "./route.ts";
import { findUserByEmail } from "./store/users.ts";
import { deleteEmailChange } from "./store/verifications.ts";

/** The header is stored with the session, so a longer one is cut to this length. */
const maxUserAgentLength = 512;

/**
 * Returns the headers for better-auth. Verifies a bearer token or an API key, and removes the cookie if there is one
 * of them. Throws UNAUTHENTICATED for a credential that fails, and FORBIDDEN for a request that an API key may not make.
 */
export async function sanitizeHeaders(
  requestHeaders: Headers,
  resolveUser: ResolveUser,
  route: Route,
): Promise<Headers> {
  const headers = new Headers(requestHeaders);
  for (const name of ["content-length", "transfer-encoding"]) headers.delete(name);
  // A browser sends sec-fetch-site with sec-fetch-mode. Node's fetch sends only the mode, and better-auth would treat
  // it as a browser that hides its site.
  if (!requestHeaders.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
  headers.set("user-agent", (requestHeaders.get("user-agent") ?? "").slice(0, maxUserAgentLength));
  if (!requestHeaders.has("authorization") && !requestHeaders.has("x-api-key")) return headers;
  await resolveUser(requestHeaders);
  headers.delete("cookie");
  if (requestHeaders.has("x-api-key") && !onlyReadsAccount(route)) {
    // Otherwise a leaked key could create other keys or a session that outlive it.
    throw new Problem("FORBIDDEN", {
      detail: "An API key can only read the account it belongs to.",
      help: "Sign in, and send the bearer token of the session instead of the key.",
    });
  }
  return headers;
}

function onlyReadsAccount({ method, path, endpoint }: Route): boolean {
  return method === "GET" && !endpoint.changes && !path.startsWith("/admin/");
}

/**
 * Throws UNTRUSTED_ORIGIN for a mutation with a cookie from an untrusted origin or without an Origin header.
 * better-auth checks the same, but only after it has read the body.
 */
export function assertTrustedOrigin({ settings }: Platform, headers: Headers, { method }: Route): void {
  if (method !== "POST" || !headers.has("cookie")) return;
  if (!settings.trustedOrigins.includes(headers.get("origin") ?? "")) throw new Problem("UNTRUSTED_ORIGIN");
}

/** Encodes the addresses of redirects. better-auth puts them into a header as they are, and a header takes no other characters. */
export function encodeRedirects(body: Body, query: URLSearchParams): void {
  const encoded = (address: string) => address.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
  for (const field of redirectFields) {
    const [inBody, inQuery] = [body[field], query.get(field)];
    if (typeof inBody === "string") body[field] = encoded(inBody);
    if (inQuery !== null) query.set(field, encoded(inQuery));
  }
}

/**
 * Throws VALIDATION_FAILED for a redirect to another site that better-auth does not recognize: it normalizes
 * `/..//evil.example` to `//evil.example`, which a browser reads as a host. better-auth checks the origin of the requests
 * that it receives.
 */
export function assertSafeRedirects(
  { settings }: Platform,
  { path }: Route,
  body: Body,
  query: URLSearchParams,
): void {
  const isTrusted = ({ origin }: URL) =>
    !isMailPath(path, settings) || settings.trustedOrigins.includes(origin);
  for (const field of redirectFields) {
    for (const address of [body[field], ...query.getAll(field)]) {
      if (typeof address !== "string") continue;
      const url = URL.parse(address, settings.baseUrl);
      // A line break is no part of the parsed address, and breaks a header.
      const isPlain = !/\p{Cc}/u.test(address);
      if (isPlain && url !== null && !url.pathname.startsWith("//") && isTrusted(url)) continue;
      throw invalidField(field, "Must be a path or a trusted origin");
    }
  }
}

/** Throws VALIDATION_FAILED for a prefix with which a user's key would be looked up as an organization's. */
export function assertKeyOfUser({ identityHooks }: IdentityPlatform, { prefix }: Body): void {
  if (typeof prefix !== "string" || !identityHooks.isKeyOfOrganization(prefix)) return;
  const message = "Must not begin like the keys of organizations";
  throw invalidField("prefix", message);
}

/** Throws SIGN_UP_BY_INVITATION if sign-up is by invitation and this address has none. */
export async function assertMaySignUp(
  { db, clock, settings, identityHooks }: IdentityPlatform,
  body: Body,
): Promise<void> {
  if (settings.signUp === "open" || typeof body["email"] !== "string") return;
  const email = body["email"].toLowerCase();
  if (settings.adminEmails.includes(email) || (await identityHooks.isInvited(db, email, clock.now()))) return;
  throw new Problem("SIGN_UP_BY_INVITATION");
}

/** A change of address that its user confirms with the link of the mail. */
export interface AddressChange {
  token: string;
  userId: string;
  to: string;
}

/**
 * Reads the change of address from a link's token. Returns null for other tokens. Throws UNAUTHENTICATED without a
 * session: better-auth identifies the account by the old address only, so a former owner of an address could otherwise
 * take over its current account.
 */
export async function findAddressChange(
  { settings }: Platform,
  token: string,
  users: UserLookup,
): Promise<AddressChange | null> {
  const change = readEmailChange(token, settings.authSecret);
  if (change === null) return null;
  const user = await users.caller();
  if (user !== null) return { token, userId: user.userId, to: change.updateTo };
  throw new Problem("UNAUTHENTICATED", {
    detail: "Sign in, then open the link again to change your address.",
  });
}

/** The account of a verification link, whose address is not verified yet. */
export interface UnverifiedAccount {
  userId: string;
  email: string;
}

/**
 * Finds the account that a verification link verifies. Null if there is none, or it is verified. Throws INVALID_TOKEN for
 * the link of another account: better-auth identifies the account by the address, so the link of a deleted account would
 * verify the address for the user who signed up with it since.
 */
export async function findUnverifiedAccount(
  { db, settings }: Platform,
  token: string,
): Promise<UnverifiedAccount | null> {
  const link = readVerification(token, settings.authSecret);
  const user = link && (await findUserByEmail(db, link.email));
  if (user && user.id !== link.userId)
    throw new AuthRefused({ code: "INVALID_TOKEN", message: "Invalid token" }, 401);
  return user && !user.emailVerified ? { userId: user.id, email: user.email } : null;
}

/** Uses the link of a change of address up. Throws FORBIDDEN unless this user requested it and it is unused. */
export async function useAddressChange(db: Executor, change: AddressChange, at: Date): Promise<void> {
  if (await deleteEmailChange(db, change, at)) return;
  throw new Problem("FORBIDDEN", {
    detail: "This link was used, has expired, or belongs to another account.",
    help: "Request the change again on your account page.",
  });
}
