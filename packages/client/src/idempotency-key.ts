import { PurserError } from "./error.ts";
import type { OwnMutationOptions } from "./options.ts";
import { randomKey } from "./random-key.ts";

export const keyHeader = "Idempotency-Key";

/**
 * Returns what returns the key of a mutation for each of its attempts, which is the same for all: the caller's, as an option
 * or a header, or a random one. Throws `VALIDATION_FAILED` for a key that the service would refuse, or `Headers`.
 */
export function keyOfAttempts(own: OwnMutationOptions): (clientHeaders: Headers) => string {
  let key: string | undefined;
  return (clientHeaders) => {
    key ??=
      own.idempotencyKey ??
      new Headers(own.headers).get(keyHeader) ??
      clientHeaders.get(keyHeader) ??
      own.fallbackKey ??
      randomKey();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw refusedKey();
    return key;
  };
}

/** The refusal of the service, which would not get some of these keys as they are. */
function refusedKey(): PurserError {
  const message = "Must be 1 to 255 visible ASCII characters, sent once";
  return new PurserError("VALIDATION_FAILED", "The input is not valid. See the issues.", {
    status: 400,
    issues: [{ path: [keyHeader], code: "invalid_format", message }],
  });
}
