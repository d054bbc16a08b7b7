import type { Caller, RequestInfo } from "@purser/platform";
import type { Service } from "../service.ts";
import type { HttpContext } from "./context.ts";
import { createRateLimitCheck } from "./rate-limit.ts";

/** What is known about a request that was let in. */
export type AuthenticatedRequest = Omit<RequestInfo, "idempotencyKey">;

/** Lets a request in: takes one of its caller's permits and says who calls. Throws RATE_LIMITED, UNAUTHENTICATED. */
export type Authenticate = (c: HttpContext) => Promise<AuthenticatedRequest>;

export function createAuthenticate(service: Service): Authenticate {
  const { auth, platform } = service;
  const trusted = new Set(platform.settings.trustedOrigins);
  const checkRateLimit = createRateLimitCheck(service);
  return async (c) => {
    let caller: Caller | null = null;
    let failure: { error: unknown } | undefined;
    try {
      caller = await auth.resolveCaller(c.req.raw.headers);
    } catch (error) {
      failure = { error };
    }
    await checkRateLimit(c, caller?.userId);
    // Only now: a caller who has used up the limit is told so, whatever they present.
    if (failure !== undefined) throw failure.error;
    const { requestContext } = c.env;
    if (caller !== null) requestContext.userId = caller.userId;
    const fromTrustedOrigin = requestContext.origin !== null && trusted.has(requestContext.origin);
    return { requestId: requestContext.requestId, caller, fromTrustedOrigin };
  };
}
