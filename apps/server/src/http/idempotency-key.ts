import { validationFailed } from "@purser/core";
import type { AuthenticatedRequest } from "./authentication.ts";
import type { HttpContext } from "./context.ts";

/** Returns the request's Idempotency-Key or null. Throws VALIDATION_FAILED for an invalid key. */
export function idempotencyKeyOf(
  { env: { requestContext } }: HttpContext,
  { caller, fromTrustedOrigin }: AuthenticatedRequest,
): string | null {
  const key = requestContext.receivedHeaders.get("idempotency-key");
  // Keys belong to a user. A caller whom the procedure will refuse gets that error, not one about the key.
  const isRefused = caller === null || (caller.credential === "cookie" && !fromTrustedOrigin);
  if (key === null || isRefused) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = "Must be 1 to 255 visible ASCII characters, sent once";
  throw validationFailed([{ path: ["Idempotency-Key"], code: "invalid_format", message }]);
}
