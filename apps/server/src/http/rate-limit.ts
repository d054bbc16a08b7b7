import { Problem } from "@purser/core";
import { networkOf } from "@purser/platform";
import type { Service } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpContext } from "./context.ts";

/** Counts a request against the limit of its user or, if anonymous, its network. Throws RATE_LIMITED. */
export type CheckRateLimit = (c: HttpContext, userId?: string) => Promise<void>;

export function createRateLimitCheck({ platform, limits }: Service): CheckRateLimit {
  const addressOf = clientAddress(platform.settings.trustedProxies);
  return async (c, userId) => {
    const permit = await limits.take(userId ?? networkOf(addressOf(c)));
    if (!permit.ok) throw new Problem("RATE_LIMITED", { retryAfterSeconds: permit.retryAfterSeconds });
  };
}
