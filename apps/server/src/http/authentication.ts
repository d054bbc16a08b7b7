import { Problem } from "@purser/core";
import {
  type Caller,
  type PresentedCredential,
  type RequestInfo,
  callerId,
  isOrganizationKey,
  networkOfAddress,
} from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import { watchClient } from "./client-signal.ts";
import type { HttpContext } from "./context.ts";
import { createResolveLimited } from "./failed-credentials.ts";
import { createCountRequest } from "./rate-limit.ts";

/** The caller and origin of an authenticated or anonymous request. */
export type AuthenticatedRequest = Omit<RequestInfo, "idempotencyKey">;

/** Counts the request against the rate limit and resolves its caller. Throws RATE_LIMITED, UNAUTHENTICATED. */
export type Authenticate = (c: HttpContext) => Promise<AuthenticatedRequest>;

/** Creates the function that authenticates the requests of all transports. */
export function createAuthenticate(service: AppService): Authenticate {
  const { auth, platform } = service;
  const trusted = new Set(platform.settings.trustedOrigins);
  const countRequest = createCountRequest(service);
  const resolveLimited = createResolveLimited(service);
  const addressOf = clientAddress(platform.settings.trustedProxies);
  return async (c) => {
    const address = addressOf(c);
    const network = networkOfAddress(address);
    const { requestContext } = c.env;
    let caller: Caller | null = null;
    let credential: PresentedCredential | undefined;
    let failure: { error: unknown } | undefined;
    try {
      credential = auth.readCredential(requestContext.receivedHeaders) ?? undefined;
      if (credential !== undefined) caller = await resolveLimited(credential, network);
    } catch (error) {
      if (error instanceof Problem && error.code === "RATE_LIMITED") throw error;
      failure = { error };
    }
    // Before the rate limit, so that the log line of a 429 names its caller.
    if (caller !== null) {
      requestContext.caller = isOrganizationKey(caller) ? { keyId: caller.keyId } : { userId: caller.userId };
    }
    const counting = countRequest(caller === null ? network : callerId(caller));
    if (counting !== undefined) await counting;
    // After the rate limit, so that a limited caller gets 429 with any credentials.
    if (failure !== undefined) throw failure.error;
    const fromTrustedOrigin = requestContext.origin !== null && trusted.has(requestContext.origin);
    const { requestId } = requestContext;
    let signal: AbortSignal | undefined;
    const clientSignal = () => (signal ??= watchClient(c));
    if (caller === null) credential = undefined;
    return { requestId, caller, fromTrustedOrigin, address, credential, clientSignal };
  };
}
