import type { OwnMutationOptions } from "./options.ts";
import { randomKey } from "./random-key.ts";

export const keyHeader = "idempotency-key";

/**
 * Returns what returns the key of a mutation for each of its attempts, which is the same for all: the caller's, as an option
 * or a header, or a random one.
 */
export function keyOfAttempts(own: OwnMutationOptions): (clientHeaders: Headers) => string {
  let key: string | undefined;
  return (clientHeaders) =>
    (key ??= sendable(
      own.idempotencyKey ??
        new Headers(own.headers).get(keyHeader) ??
        clientHeaders.get(keyHeader) ??
        own.fallbackKey ??
        randomKey(),
    ));
}

/** The service refuses a key with other characters. `Headers` would throw a TypeError, or cut spaces off its ends. */
const sendable = (key: string) => (/^[!-~]*$/.test(key) ? key : "not visible ASCII");
