import { Problem, validationFailed } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { Body } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import { readEmailChange } from "./mails.ts";
import type { ResolveCaller } from "./resolve-caller.ts";
import type { Route } from "./route.ts";
import { findEmailChange } from "./store.ts";

/** The header is stored with the session, so a longer one is cut to this length. */
const maxUserAgentLength = 512;

/**
 * Returns the headers for better-auth. Verifies a bearer token or an API key, and removes the cookie if there is one
 * of them. Throws UNAUTHENTICATED for a credential that fails, and FORBIDDEN for a request that an API key may not make.
 */
export async function sanitizeHeaders(
  requestHeaders: Headers,
  resolveCaller: ResolveCaller,
  route: Route,
): Promise<Headers> {
  const headers = new Headers(requestHeaders);
  for (const name of ["content-length", "transfer-encoding"]) headers.delete(name);
  // A browser sends sec-fetch-site with sec-fetch-mode. Node's fetch sends only the mode, and better-auth would treat
  // it as a browser that hides its site.
  if (!requestHeaders.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
  headers.set("user-agent", (requestHeaders.get("user-agent") ?? "").slice(0, maxUserAgentLength));
  if (!requestHeaders.has("authorization") && !requestHeaders.has("x-api-key")) return headers;
  await resolveCaller(requestHeaders);
  headers.delete("cookie");
  if (requestHeaders.has("x-api-key") && (route.method !== "GET" || route.path.startsWith("/admin/"))) {
    // Otherwise a leaked key could create other keys or a session that outlive it.
    throw new Problem("FORBIDDEN", { detail: "An API key can only read the account it belongs to." });
  }
  return headers;
}

/**
 * Throws UNTRUSTED_ORIGIN for a mutation with a cookie from an untrusted origin or without an Origin header.
 * better-auth checks the same, but only after it has read the body.
 */
export function assertTrustedOrigin({ settings }: Platform, headers: Headers, { method }: Route): void {
  if (method !== "POST" || !headers.has("cookie")) return;
  if (!settings.trustedOrigins.includes(headers.get("origin") ?? "")) throw new Problem("UNTRUSTED_ORIGIN");
}

const redirectFields = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"];

/**
 * Throws VALIDATION_FAILED for a redirect to another site that better-auth does not recognize: it normalizes
 * `/..//evil.example` to `//evil.example`, which a browser reads as a host. better-auth checks the origin.
 */
export function assertSafeRedirects({ settings }: Platform, body: Body, query: URLSearchParams): void {
  for (const field of redirectFields) {
    for (const address of [body[field], ...query.getAll(field)]) {
      if (typeof address !== "string") continue;
      const url = URL.parse(address, settings.baseUrl);
      if (url !== null && !url.pathname.startsWith("//")) continue;
      throw validationFailed([
        { path: [field], code: "custom", message: "Must be a path or a trusted origin" },
      ]);
    }
  }
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

/**
 * Throws unless the caller is the user who requested the address change. better-auth identifies the account by the old
 * address only, so a former owner of an address could otherwise take over its current account.
 */
export async function assertMayChangeEmail(
  { db, clock }: Platform,
  token: string,
  caller: () => Promise<{ userId: string } | null>,
): Promise<void> {
  if (readEmailChange(token) === null) return;
  const user = await caller();
  if (user === null) {
    throw new Problem("UNAUTHENTICATED", {
      detail: "Sign in, then open the link again to change your address.",
    });
  }
  if ((await findEmailChange(db, token, clock.now())) !== user.userId) throw new Problem("FORBIDDEN");
}
