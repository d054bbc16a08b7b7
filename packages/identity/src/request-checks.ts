import { Problem } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { Body } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import { readChange } from "./mails.ts";
import type { ResolveCaller } from "./resolve-caller.ts";
import type { Route } from "./route.ts";
import { findChange } from "./store.ts";

/** A header longer than this is kept in part: it is stored with the session. */
const longestUserAgent = 512;

/**
 * The headers that better-auth is given. A bearer token or an API key has been found good then, and excludes
 * the cookie. Throws UNAUTHENTICATED, or FORBIDDEN for what an API key may not do.
 */
export async function sanitizeHeaders(
  given: Headers,
  resolveCaller: ResolveCaller,
  route: Route,
): Promise<Headers> {
  const headers = new Headers(given);
  for (const name of ["content-length", "transfer-encoding"]) headers.delete(name);
  // A browser that tells the mode of a request tells its site, too. Node's fetch tells the mode alone, and
  // better-auth would take it for a browser that hides where it comes from.
  if (!given.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
  headers.set("user-agent", (given.get("user-agent") ?? "").slice(0, longestUserAgent));
  if (!given.has("authorization") && !given.has("x-api-key")) return headers;
  await resolveCaller(given);
  headers.delete("cookie");
  if (given.has("x-api-key") && (route.method !== "GET" || route.path.startsWith("/admin/"))) {
    // Else a key that leaked could make others, or a session, that outlive it.
    throw new Problem("FORBIDDEN", { detail: "An API key can only read the account it belongs to." });
  }
  return headers;
}

/**
 * Throws UNTRUSTED_ORIGIN for a request that would change something with a browser's cookie from an origin that
 * is not ours, or from none. better-auth says the same, but only after it has read the body.
 */
export function assertTrustedOrigin({ settings }: Platform, headers: Headers, { method }: Route): void {
  if (method !== "POST" || !headers.has("cookie")) return;
  if (!settings.trustedOrigins.includes(headers.get("origin") ?? "")) throw new Problem("UNTRUSTED_ORIGIN");
}

/** Throws SIGN_UP_BY_INVITATION where signing up is by invitation and nobody has invited this address. */
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
 * A change of address takes the session of the user who asked for it. better-auth itself goes by the old
 * address alone: whoever once had an account under an address could take over the one that has it now.
 */
export async function assertMayChange(
  { db, clock }: Platform,
  token: string,
  caller: () => Promise<{ userId: string } | null>,
): Promise<void> {
  if (readChange(token) === null) return;
  const user = await caller();
  if (user === null) {
    throw new Problem("UNAUTHENTICATED", {
      detail: "Sign in, then open the link again to change your address.",
    });
  }
  if ((await findChange(db, token, clock.now())) !== user.userId) throw new Problem("FORBIDDEN");
}
