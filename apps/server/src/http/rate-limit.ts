import { Problem } from "@purser/core";
import { networkOfAddress } from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpContext } from "./context.ts";

/** Counts a request against the limit of its caller, or of another key. Default: its network. Throws RATE_LIMITED. */
export type CheckRateLimit = (c: HttpContext, key?: string) => Promise<void>;

export function createRateLimitCheck({ platform, limits }: AppService): CheckRateLimit {
  const addressOf = clientAddress(platform.settings.trustedProxies);
  return async (c, key) => {
    const permit = await limits.take(key ?? networkOfAddress(addressOf(c)));
    if (!permit.ok) throw new Problem("RATE_LIMITED", { retryAfterSeconds: permit.retryAfterSeconds });
  };
}
