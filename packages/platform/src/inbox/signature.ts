import { type KeyObject, createHmac, timingSafeEqual } from "node:crypto";

const toleranceMilliseconds = 5 * 60 * 1000;

/** Whether a signed time is within five minutes of now, on either side: neither replayed nor made up ahead. */
export function isTimely(signedAt: Date, now: Date): boolean {
  // Also false for an invalid date, whose distance is not a number.
  return Math.abs(now.getTime() - signedAt.getTime()) <= toleranceMilliseconds;
}

interface HmacClaim {
  /** Any of them may have signed. One that is made once is several times as quick as the bytes of it. */
  keys: readonly (string | Buffer | KeyObject)[];
  /** What was signed, in its parts. */
  message: readonly (string | Buffer)[];
  /** Any of them may be the right one. */
  signatures: readonly string[];
  encoding: "hex" | "base64";
}

/**
 * Whether a signature is the HMAC-SHA-256 of the message. It takes as long for a wrong one as for the right one, and
 * makes one HMAC a key, however many signatures there are: a header has room for hundreds, and anybody may send it.
 */
export function hmacMatches({ keys, message, signatures, encoding }: HmacClaim): boolean {
  const presented = signatures.map((signature) => Buffer.from(signature, encoding));
  return keys.some((key) => {
    const hmac = createHmac("sha256", key);
    for (const part of message) hmac.update(part);
    const expected = hmac.digest();
    return presented.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
}
