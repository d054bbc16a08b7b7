import { Problem } from "@purser/core";
import { type Caller, networkOfAddress } from "@purser/platform";
import type { AppService } from "../service.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpContext } from "./context.ts";
import { createRateLimitCheck } from "./rate-limit.ts";

/** How many credentials are remembered. Each takes about 100 bytes. */
const maxKnown = 10_000;

/**
 * Resolves the caller of a request, at most REQUESTS_PER_CALLER times a minute for the credentials of a network that
 * fail. Each look-up is a query, and whose limit a request counts against is only known after it.
 */
export type ResolveLimited = (c: HttpContext) => Promise<Caller | null>;

/** Creates the function. It throws UNAUTHENTICATED as `resolveCaller` does, or RATE_LIMITED. */
export function createResolveLimited(service: AppService): ResolveLimited {
  const { auth, limits, platform } = service;
  const addressOf = clientAddress(platform.settings.trustedProxies);
  const checkRateLimit = createRateLimitCheck(service);
  // Credentials whose last look-up found a caller, the longest unused first. They are looked up in any case: otherwise
  // one client could lock out all others behind its address.
  const known = new Set<string>();

  function remember(fingerprint: string): void {
    known.delete(fingerprint);
    known.add(fingerprint);
    if (known.size > maxKnown) for (const oldest of known.keys()) return void known.delete(oldest);
  }

  return async (c) => {
    const { headers } = c.req.raw;
    const fingerprint = auth.fingerprintOf(headers);
    if (fingerprint === null) return auth.resolveCaller(headers);
    // Apart from the network's anonymous requests, which may not exclude a credential either.
    const failures = `failed:${networkOfAddress(addressOf(c))}`;
    if (limits.isSpent(failures) && !known.has(fingerprint)) await checkRateLimit(c, failures);
    const fail = () => {
      known.delete(fingerprint);
      return checkRateLimit(c, failures);
    };
    try {
      const caller = await auth.resolveCaller(headers);
      if (caller === null) await fail();
      else remember(fingerprint);
      return caller;
    } catch (error) {
      // Not if the database is unavailable: the credential may be valid.
      if (error instanceof Problem && error.code === "UNAUTHENTICATED") await fail();
      throw error;
    }
  };
}
