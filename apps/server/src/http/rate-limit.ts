import { Problem } from "@purser/core";
import { networkOfAddress } from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpContext } from "./context.ts";

/** Counts a request against the limit of a caller or a network. Throws RATE_LIMITED. */
export type CountRequest = (key: string) => Promise<void>;

export function createCountRequest({ limits }: Pick<AppService, "limits">): CountRequest {
  return async (key) => {
    const permit = await limits.take(key);
    if (!permit.ok) throw new Problem("RATE_LIMITED", { retryAfterSeconds: permit.retryAfterSeconds });
  };
}

/** Counts a request without a caller against the limit of its network. Throws RATE_LIMITED. */
export type CheckRateLimit = (c: HttpContext) => Promise<void>;

export function createRateLimitCheck(service: AppService): CheckRateLimit {
  const addressOf = clientAddress(service.platform.settings.trustedProxies);
  const countRequest = createCountRequest(service);
  return (c) => countRequest(networkOfAddress(addressOf(c)));
}
