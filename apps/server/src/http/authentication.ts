import type { Caller, RequestInfo } from "@purser/platform";
import type { Service } from "../service.ts";
import type { DoorContext } from "./context.ts";
import { permits } from "./rate-limit.ts";

/** What is known about a request that was let in. */
export type Admitted = Omit<RequestInfo, "idempotencyKey">;

/** Lets a request in: takes one of its caller's permits and says who calls. Throws RATE_LIMITED, UNAUTHENTICATED. */
export type Admission = (c: DoorContext) => Promise<Admitted>;

export function admission(service: Service): Admission {
  const { auth, platform } = service;
  const trusted = new Set(platform.settings.trustedOrigins);
  const takePermit = permits(service);
  return async (c) => {
    let caller: Caller | null = null;
    let failure: { error: unknown } | undefined;
    try {
      caller = await auth.resolveCaller(c.req.raw.headers);
    } catch (error) {
      failure = { error };
    }
    await takePermit(c, caller?.userId);
    // Only now: a caller who has used up the limit is told so, whatever they present.
    if (failure !== undefined) throw failure.error;
    const { exchange } = c.env;
    if (caller !== null) exchange.userId = caller.userId;
    const fromTrustedOrigin = exchange.origin !== null && trusted.has(exchange.origin);
    return { requestId: exchange.requestId, caller, fromTrustedOrigin };
  };
}
