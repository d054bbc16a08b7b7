import { type KeyObject, createHmac, timingSafeEqual } from "node:crypto";

const toleranceMs = 5 * 60 * 1000;

/** Whether a signed time is within five minutes of now, on either side: an older or later one may be a replay. */
export function isTimely(signedAt: Date, now: Date): boolean {
  // Also false for an invalid date, whose distance is not a number.
  return Math.abs(now.getTime() - signedAt.getTime()) <= toleranceMs;
}

interface HmacClaim {
  /** Any of them may have signed. A KeyObject that is created once is several times as fast as its bytes. */
  keys: readonly (string | Buffer | KeyObject)[];
  /** The parts of the signed message. */
  message: readonly (string | Buffer)[];
  /** Any of them may match. */
  signatures: readonly string[];
  encoding: "hex" | "base64";
}

/**
 * Whether a signature is the HMAC-SHA-256 of the message, in constant time. It computes one HMAC per key, however many
 * signatures there are: a header has room for hundreds, and anyone can send one.
 */
export function hmacMatches({ keys, message, signatures, encoding }: HmacClaim): boolean {
  const presented = signatures.map((signature) => Buffer.from(signature, encoding));
  return keys.some((key) => {
    const hmac = createHmac("sha256", key);
    for (const part of message) hmac.update(part);
    const expected = hmac.digest();
    return presented.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    );
  });
}
