import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * For vitest's `setupFiles`: a password is hashed by the same code as in production, but with a sixteenth of the work,
 * since tests make many users. Services in processes of their own take the full work.
 */
const { scrypt } = crypto as { scrypt: typeof crypto.scrypt & { isCheap?: true } };
const cost = 1024;

// Workers come here once for each file.
if (!scrypt.isCheap) {
  const cheap = ((password, salt, length, options, callback) =>
    scrypt(password, salt, length, { ...options, N: cost }, callback)) as typeof scrypt;
  crypto.scrypt = Object.assign(cheap, { isCheap: true as const });
  // What was imported by name follows.
  syncBuiltinESMExports();
}
