import { Problem } from "@purser/core";
import { type Caller, type RequestInfo, callerId, isOrganizationKey } from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import { watchClient } from "./client-signal.ts";
import type { HttpContext } from "./context.ts";
import { createResolveLimited } from "./failed-credentials.ts";
import { createRateLimitCheck } from "./rate-limit.ts";

/** The caller and origin of an authenticated or anonymous request. */
export type AuthenticatedRequest = Omit<RequestInfo, "idempotencyKey">;

/** Counts the request against the rate limit and resolves its caller. Throws RATE_LIMITED, UNAUTHENTICATED. */
export type Authenticate = (c: HttpContext) => Promise<AuthenticatedRequest>;

/** Creates the function that authenticates the requests of all transports. */
export function createAuthenticate(service: AppService): Authenticate {
  const { auth, platform } = service;
  const trusted = new Set(platform.settings.trustedOrigins);
  const checkRateLimit = createRateLimitCheck(service);
  const resolveLimited = createResolveLimited(service);
  const addressOf = clientAddress(platform.settings.trustedProxies);
  return async (c) => {
    let caller: Caller | null = null;
    let failure: { error: unknown } | undefined;
    try {
      caller = await resolveLimited(c);
    } catch (error) {
      if (error instanceof Problem && error.code === "RATE_LIMITED") throw error;
      failure = { error };
    }
    const { requestContext } = c.env;
    // Before the rate limit, so that the log line of a 429 names its caller.
    if (caller !== null) {
      requestContext.caller = isOrganizationKey(caller) ? { keyId: caller.keyId } : { userId: caller.userId };
    }
    await checkRateLimit(c, caller === null ? undefined : callerId(caller));
    // After the rate limit, so that a limited caller gets 429 with any credentials.
    if (failure !== undefined) throw failure.error;
    const credential = caller === null ? undefined : auth.credentialOf(c.req.raw.headers);
    const fromTrustedOrigin = requestContext.origin !== null && trusted.has(requestContext.origin);
    const { requestId } = requestContext;
    let signal: AbortSignal | undefined;
    const clientSignal = () => (signal ??= watchClient(c));
    return { requestId, caller, fromTrustedOrigin, address: addressOf(c), credential, clientSignal };
  };
}
