import { validationFailed } from "@purser/core";
import type { AuthenticatedRequest } from "./authentication.ts";
import type { HttpContext } from "./context.ts";

/** The request's Idempotency-Key, or null. Throws VALIDATION_FAILED for one that is none. */
export function idempotencyKeyOf(
  { req }: HttpContext,
  { caller, fromTrustedOrigin }: AuthenticatedRequest,
): string | null {
  const key = req.header("idempotency-key");
  // Keys are kept per user. Whom the procedure will refuse is told that, and not that the key is bad.
  const isRefused = caller === null || (caller.credential === "cookie" && !fromTrustedOrigin);
  if (key === undefined || isRefused) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = "Must be 1 to 255 visible ASCII characters, and stand once";
  throw validationFailed([{ path: ["Idempotency-Key"], code: "invalid_format", message }]);
}
