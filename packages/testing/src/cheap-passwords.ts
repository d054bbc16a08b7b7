import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * For vitest's `setupFiles`. Hashes passwords with the same code as production, but with the lowest cost that scrypt
 * accepts, because tests sign in many users. A hash does not store its cost: a service in a separate process uses the full
 * cost and cannot verify these hashes, unless a test preloads this file.
 */
const { scrypt } = crypto as { scrypt: typeof crypto.scrypt & { isCheap?: true } };
const cost = 2;

// A worker loads this file once per test file.
if (!scrypt.isCheap) {
  const cheap = ((password, salt, length, options, callback) =>
    scrypt(password, salt, length, { ...options, N: cost }, callback)) as typeof scrypt;
  crypto.scrypt = Object.assign(cheap, { isCheap: true as const });
  // Updates the named imports of node:crypto.
  syncBuiltinESMExports();
}
