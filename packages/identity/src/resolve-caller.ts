import type { KeyObject } from "node:crypto";
import { Problem, addMs, dayMs } from "@purser/core";
import {
  type Caller,
  type PresentedCredential,
  type UserCaller,
  callerId,
  hashSecret,
  recordIfPossible,
} from "@purser/platform";
import type { IdentityPlatform } from "./context.ts";
import { type Credentials, type HeaderReader, readCredentials } from "./credentials.ts";
import { setLastRequest } from "./store/api-keys.ts";
import { findApiKeyUser, findSessionUser } from "./store/callers.ts";
import { extendSession } from "./store/sessions.ts";

/** The lifetime of a session, and the age after which use extends it again. In milliseconds. */
export const sessionLifetime = { expiresIn: 7 * dayMs, updateAge: dayMs };

/** The last use of an API key has this precision, in milliseconds, so most uses cost no write. */
const lastRequestPrecision = 60_000;

/** Returns null without a credential. Throws UNAUTHENTICATED for a bearer token with an invalid signature. */
export type ReadCredential = (headers: HeaderReader) => PresentedCredential | null;
/** Throws FORBIDDEN for a key of an organization. */
export type ResolveUser = (headers: Headers) => Promise<UserCaller | null>;

/**
 * Creates the function that reads the credential of a request. Resolving it is one query, so a revoked session, a ban or a
 * changed role takes effect on the next request.
 */
export function createReadCredential(
  platform: IdentityPlatform,
  secret: KeyObject,
  cookieName: string,
): ReadCredential {
  const { db, clock, identityHooks } = platform;

  async function bySession(token: string, credential: "bearer" | "cookie"): Promise<Caller | null> {
    const now = clock.now();
    const row = await findSessionUser(db, token, now);
    if (row === undefined) return null;
    const { sessionId, expiresAt, updatedAt, ...caller } = row;
    // better-auth extends cookie sessions at get-session, because it must renew the cookie's own age with them.
    if (credential === "bearer" && isDue(now, { expiresAt, updatedAt })) {
      const extended = { updatedAt: now, expiresAt: addMs(now, sessionLifetime.expiresIn) };
      await recordIfPossible(() => extendSession(db, { id: sessionId, expiresAt }, extended));
    }
    return { ...caller, credential };
  }

  async function byApiKey(presented: string): Promise<Caller | null> {
    if (identityHooks.isKeyOfOrganization(presented))
      return identityHooks.resolveOrganizationKey(platform, presented);
    const now = clock.now();
    const row = await findApiKeyUser(db, hashSecret(presented), now);
    if (row === undefined) return null;
    const { apiKeyId, lastRequest, ...caller } = row;
    if (lastRequest === null || now.getTime() - lastRequest.getTime() >= lastRequestPrecision) {
      await recordIfPossible(() => setLastRequest(db, apiKeyId, now));
    }
    return { ...caller, credential: "api-key" };
  }

  async function resolve({ bearer, apiKey, cookie }: Credentials): Promise<Caller | null> {
    if (cookie !== null) return bySession(cookie, "cookie");
    const owner = apiKey === null ? null : await byApiKey(apiKey);
    const holder = bearer === null ? null : await bySession(bearer, "bearer");
    if ((apiKey !== null && owner === null) || (bearer !== null && holder === null)) {
      throw new Problem("UNAUTHENTICATED");
    }
    // Both must belong to the same user. The key counts, because it allows less. An organization's key belongs to no user.
    if (owner !== null && holder !== null && callerId(owner) !== callerId(holder))
      throw new Problem("UNAUTHENTICATED");
    return owner ?? holder;
  }

  return (headers) => {
    const credentials = readCredentials(headers, secret, cookieName);
    const presented = credentials.apiKey ?? credentials.bearer ?? credentials.cookie;
    if (presented === null) return null;
    return { fingerprint: () => hashSecret(presented), resolve: () => resolve(credentials) };
  };
}

/** Whether a session was opened with `rememberMe: false`. It is never extended. */
export function isShortSession({ expiresAt, updatedAt }: { expiresAt: Date; updatedAt: Date }): boolean {
  return expiresAt.getTime() - updatedAt.getTime() <= sessionLifetime.updateAge;
}

function isDue(now: Date, session: { expiresAt: Date; updatedAt: Date }): boolean {
  const { expiresIn, updateAge } = sessionLifetime;
  return !isShortSession(session) && session.expiresAt.getTime() - expiresIn + updateAge <= now.getTime();
}
