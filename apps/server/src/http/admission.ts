import { Problem } from "@purser/core";
import { type Caller, type RequestFacts, networkOf } from "@purser/router";
import type { Service } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { DoorContext } from "./door.ts";

/** What is known about a request that was let in. */
export type Admitted = Omit<RequestFacts, "idempotencyKey">;

/** Lets a request in: takes one of its caller's permits and says who calls. Throws RATE_LIMITED, UNAUTHENTICATED. */
export type Admission = (c: DoorContext) => Promise<Admitted>;

export function admission({ platform, auth, limits }: Service): Admission {
  const { settings } = platform;
  const trusted = new Set(settings.trustedOrigins);
  const addressOf = clientAddress(settings.trustedProxies);
  return async (c) => {
    const recognised = await settle(auth.resolveCaller(c.req.raw.headers));
    const key = recognised.caller?.userId ?? networkOf(addressOf(c));
    const permit = await limits.take(key);
    if (!permit.ok) throw new Problem("RATE_LIMITED", { retryAfterSeconds: permit.retryAfterSeconds });
    // Only now: a caller who has used up the limit is told so, whatever they present.
    if (recognised.failure) throw recognised.failure.error;
    const { caller } = recognised;
    if (caller !== null) c.set("userId", caller.userId);
    const fromTrustedOrigin = trusted.has(c.req.header("origin") ?? "");
    return { requestId: c.get("requestId"), caller, fromTrustedOrigin };
  };
}

type Recognition =
  | { caller: Caller | null; failure?: undefined }
  | { caller: null; failure: { error: unknown } };

async function settle(recognition: Promise<Caller | null>): Promise<Recognition> {
  try {
    return { caller: await recognition };
  } catch (error) {
    return { caller: null, failure: { error } };
  }
}
