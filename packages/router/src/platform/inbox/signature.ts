import { type KeyObject, createHmac, timingSafeEqual } from "node:crypto";

const toleranceMilliseconds = 5 * 60 * 1000;

/** Whether a signed time is within five minutes of now, on either side: neither replayed nor made up ahead. */
export function isTimely(signedAt: Date, now: Date): boolean {
  // Also false for an invalid date, whose distance is not a number.
  return Math.abs(now.getTime() - signedAt.getTime()) <= toleranceMilliseconds;
}

interface HmacClaim {
  algorithm?: "sha256" | "sha512";
  /** A key that is made once is several times as quick as the bytes of it. */
  secret: string | Buffer | KeyObject;
  /** What was signed, in its parts. */
  message: readonly (string | Buffer)[];
  signature: string;
  encoding: "hex" | "base64";
}

/** Whether the signature is the HMAC of the message. It takes as long for a wrong one as for the right one. */
export function hmacMatches({
  algorithm = "sha256",
  secret,
  message,
  signature,
  encoding,
}: HmacClaim): boolean {
  const hmac = createHmac(algorithm, secret);
  for (const part of message) hmac.update(part);
  const expected = hmac.digest();
  const presented = Buffer.from(signature, encoding);
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
