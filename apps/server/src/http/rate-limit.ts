import { Problem } from "@purser/core";
import { type RateLimitResult, networkOfAddress } from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpContext } from "./context.ts";

/** Counts a request against the limit of a caller or a network, at once if it can. Throws RATE_LIMITED. */
export type CountRequest = (key: string) => Promise<void> | undefined;

export function createCountRequest({ limits }: Pick<AppService, "limits">): CountRequest {
  return (key) => {
    const permit = limits.take(key);
    if (permit instanceof Promise) return permit.then(requirePermit);
    requirePermit(permit);
    return undefined;
  };
}

function requirePermit(permit: RateLimitResult): void {
  if (!permit.ok) throw new Problem("RATE_LIMITED", { retryAfterSeconds: permit.retryAfterSeconds });
}

/** Counts a request without a caller against the limit of its network. Throws RATE_LIMITED. */
export type CheckRateLimit = (c: HttpContext) => Promise<void>;

export function createRateLimitCheck(service: AppService): CheckRateLimit {
  const addressOf = clientAddress(service.platform.settings.trustedProxies);
  const countRequest = createCountRequest(service);
  return async (c) => countRequest(networkOfAddress(addressOf(c)));
}
