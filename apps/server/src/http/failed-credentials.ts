import { Problem } from "@purser/core";
import type { Caller, PresentedCredential } from "@purser/platform";
import type { AppService } from "../service.ts";
import { createCountRequest } from "./rate-limit.ts";

/** How many credentials are remembered. Each takes about 100 bytes. */
const maxKnown = 10_000;

/**
 * Resolves a credential, at most REQUESTS_PER_CALLER times a minute for those of a network that fail. Each look-up is a query,
 * and whose limit a request counts against is only known after it. Throws as the credential does, or RATE_LIMITED.
 */
export type ResolveLimited = (credential: PresentedCredential, network: string) => Promise<Caller | null>;

export function createResolveLimited(service: Pick<AppService, "limits">): ResolveLimited {
  const { limits } = service;
  const countRequest = createCountRequest(service);
  // Credentials whose last look-up found a caller, the longest unused first. They are looked up in any case: otherwise
  // one client could lock out all others behind its address.
  const known = new Set<string>();

  function remember(fingerprint: string): void {
    known.delete(fingerprint);
    known.add(fingerprint);
    if (known.size > maxKnown) for (const oldest of known.keys()) return void known.delete(oldest);
  }

  return async (credential, network) => {
    const fingerprint = credential.fingerprint();
    // Apart from the network's anonymous requests, which may not exclude a credential either.
    const failures = `failed:${network}`;
    if (limits.isSpent(failures) && !known.has(fingerprint)) await countRequest(failures);
    const fail = () => {
      known.delete(fingerprint);
      return countRequest(failures);
    };
    try {
      const caller = await credential.resolve();
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
