import { type CryptoKey, importJWK } from "jose";
import type { ApiCall } from "./client.ts";
import { PlaidError } from "./errors.ts";

/** The key with which Plaid signs under this id, or null where there is none, or none any more. */
export type FindKey = (kid: string, now: Date) => Promise<CryptoKey | null>;

interface Known {
  key: CryptoKey | null;
  /** When Plaid retired the key, in milliseconds since 1970. */
  expiredAt: number;
  /** Until when this is believed without asking again. */
  until: number;
}

const believedMilliseconds = 60 * 60 * 1000;
const minuteMilliseconds = 60 * 1000;
const strangersPerMinute = 10;

/** Plaid's keys, each asked for once an hour at most. */
export function verificationKeys(ask: ApiCall): FindKey {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known>>();
  const mayAskForStranger = allowance();

  return async (kid, now) => {
    if (!/^[\w-]{1,64}$/.test(kid)) return null;
    const present = known.get(kid);
    if (present !== undefined && now.getTime() < present.until) return usable(present, now);
    // Anybody can send webhooks with key ids that they made up; each would cost a call. Known keys are not limited,
    // so that those webhooks cannot keep Plaid's own from being verified.
    if (!present?.key && !underWay.has(kid) && !mayAskForStranger(now)) return null;
    const fresh = await once(underWay, kid, () => fetchKey(ask, kid, now));
    forgetStrangers(known, now);
    known.set(kid, fresh);
    return usable(fresh, now);
  };
}

function usable({ key, expiredAt }: Known, now: Date): CryptoKey | null {
  return now.getTime() < expiredAt ? key : null;
}

async function fetchKey(ask: ApiCall, kid: string, now: Date): Promise<Known> {
  const until = now.getTime() + believedMilliseconds;
  try {
    const { key: jwk } = await ask("webhookVerificationKeyGet", { key_id: kid });
    const key = await importJWK(jwk, "ES256");
    if (jwk.kid !== kid || key instanceof Uint8Array) return { key: null, expiredAt: 0, until };
    return { key, expiredAt: jwk.expired_at === null ? Infinity : jwk.expired_at * 1000, until };
  } catch (error) {
    if (!(error instanceof PlaidError) || error.code !== unknownKey) throw error;
    return { key: null, expiredAt: 0, until };
  }
}

const unknownKey = "INVALID_WEBHOOK_VERIFICATION_KEY_ID";

/** Whoever asks while an answer is under way waits for that one. */
function once(underWay: Map<string, Promise<Known>>, kid: string, work: () => Promise<Known>) {
  const running = underWay.get(kid) ?? work().finally(() => underWay.delete(kid));
  underWay.set(kid, running);
  return running;
}

/** Keys that are none are remembered for a while only, so that they cannot fill the memory. */
function forgetStrangers(known: Map<string, Known>, now: Date): void {
  for (const [kid, { key, until }] of known) if (key === null && until <= now.getTime()) known.delete(kid);
}

function allowance(): (now: Date) => boolean {
  let windowEnd = 0;
  let left = 0;
  return (now) => {
    if (now.getTime() >= windowEnd) {
      windowEnd = now.getTime() + minuteMilliseconds;
      left = strangersPerMinute;
    }
    left -= 1;
    return left >= 0;
  };
}
