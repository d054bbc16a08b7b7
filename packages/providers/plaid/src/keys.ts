import { type CryptoKey, importJWK } from "jose";
import type { PlaidCall } from "./context.ts";
import { PlaidError } from "./errors.ts";

/**
 * Finds the key that Plaid signs webhooks with; null if the id is unknown or the key has expired. Throws {@link PlaidError} if
 * it cannot be requested now. `sender` is the network that named the key.
 */
export type FindVerificationKey = (kid: string, now: Date, sender?: string) => Promise<CryptoKey | null>;

interface CachedKey {
  key: CryptoKey | null;
  /** When Plaid retired the key, in milliseconds since 1970. */
  expiredAt: number;
  /** When to request the key again, in milliseconds since 1970. */
  until: number;
}

const cacheMs = 60 * 60 * 1000;
const minuteMs = 60 * 1000;
/** How many unknown keys a process requests in a minute. */
const unknownKeysPerMinute = { ofSender: 10, ofAll: 100 };

/** Caches verification keys. Requests each key at most once per hour, and few unknown ones. */
export function createKeyCache(call: PlaidCall): FindVerificationKey {
  const cache = new Map<string, CachedKey>();
  const pending = new Map<string, Promise<CachedKey>>();
  const mayRequestUnknown = createAllowance();

  return async (kid, now, sender = "") => {
    if (!/^[\w-]{1,64}$/.test(kid)) return null;
    const cached = cache.get(kid);
    if (cached !== undefined && now.getTime() < cached.until) return unexpired(cached, now);
    // Anyone can send webhooks with invented key ids, and each would cost a request. A key that is not requested may be a new
    // one of Plaid, which sends the event again after an outage.
    if (!cached?.key && !pending.has(kid) && !mayRequestUnknown(sender, now))
      throw new PlaidError("outage", "Too many webhooks name unknown keys, so the key was not requested");
    const fetched = await shareRequest(pending, kid, () => fetchKey(call, kid, now));
    removeUnknown(cache, now);
    cache.set(kid, fetched);
    return unexpired(fetched, now);
  };
}

function unexpired({ key, expiredAt }: CachedKey, now: Date): CryptoKey | null {
  return now.getTime() < expiredAt ? key : null;
}

async function fetchKey(call: PlaidCall, kid: string, now: Date): Promise<CachedKey> {
  const until = now.getTime() + cacheMs;
  try {
    const { key: jwk } = await call("webhookVerificationKeyGet", { key_id: kid });
    const key = await importJWK(jwk, "ES256");
    if (jwk.kid !== kid || key instanceof Uint8Array) return { key: null, expiredAt: 0, until };
    return { key, expiredAt: jwk.expired_at === null ? Infinity : jwk.expired_at * 1000, until };
  } catch (error) {
    if (!(error instanceof PlaidError) || error.code !== unknownKey) throw error;
    return { key: null, expiredAt: 0, until };
  }
}

const unknownKey = "INVALID_WEBHOOK_VERIFICATION_KEY_ID";

/** Concurrent callers share one request. */
function shareRequest(pending: Map<string, Promise<CachedKey>>, kid: string, work: () => Promise<CachedKey>) {
  const request = pending.get(kid) ?? work().finally(() => pending.delete(kid));
  pending.set(kid, request);
  return request;
}

/** Removes unknown ids, which would otherwise fill the memory. */
function removeUnknown(cache: Map<string, CachedKey>, now: Date): void {
  for (const [kid, { key, until }] of cache) if (key === null && until <= now.getTime()) cache.delete(kid);
}

/** Counts the requests of a minute for unknown keys. Returns whether the limits allow one more. */
function createAllowance(): (sender: string, now: Date) => boolean {
  let windowEnd = 0;
  let requests = 0;
  const requestsOf = new Map<string, number>();
  return (sender, now) => {
    if (now.getTime() >= windowEnd) {
      windowEnd = now.getTime() + minuteMs;
      requests = 0;
      requestsOf.clear();
    }
    const ofSender = requestsOf.get(sender) ?? 0;
    if (ofSender >= unknownKeysPerMinute.ofSender || requests >= unknownKeysPerMinute.ofAll) return false;
    requestsOf.set(sender, ofSender + 1);
    requests += 1;
    return true;
  };
}
