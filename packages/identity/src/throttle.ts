import { type Attempt, type Attempts, type Platform, networkOfAddress } from "@purser/platform";
import type { Body } from "./body-validation.ts";
import type { Endpoint } from "./endpoints.ts";
import type { AuthRefusal } from "./responses.ts";

/** Finds the user of a request. */
export interface UserLookup {
  caller(): Promise<{ userId: string; email: string } | null>;
  /** Returns the e-mail of the pending two-factor sign-in: the password was right, the second factor is still missing. */
  challengedEmail(): Promise<string | null>;
}

/** better-auth's codes for a wrong secret. Other failures do not count. */
const wrongSecrets = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_PASSWORD",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);

/**
 * Limits attempts on the endpoints that take secrets or send mails: per network address within a minute, and per account
 * (failed attempts only) and per recipient of mails within 15 minutes.
 */
export function createThrottle({ settings }: Platform, attempts: Attempts) {
  const perAddress = { limit: settings.authAttemptsPerAddress, windowSeconds: 60 };
  const perAccount = { limit: settings.authAttemptsPerAccount, windowSeconds: 900 };

  return {
    /** Throws RATE_LIMITED after too many attempts from this address in the last minute. */
    async countAddress(endpoint: Endpoint, address: string): Promise<void> {
      if (endpoint.attempt) await attempts.take(`address:${networkOfAddress(address)}`, perAddress);
    },

    /** Throws RATE_LIMITED after too many mails to one address, whether or not it has an account. */
    async countMail({ mails }: Endpoint, body: Body): Promise<void> {
      const to = mails && emailIn(body[mails]);
      if (to) await attempts.take(`mail:${to}`, perAccount);
    },

    /** Begins an attempt on an account. Returns null for a request without an account, which cannot succeed. */
    async begin(endpoint: Endpoint, body: Body, users: UserLookup): Promise<Attempt | null> {
      const key = await accountKey(endpoint, body, users);
      return key === null ? null : attempts.begin(key, perAccount);
    },

    /** Returns the outcome of an attempt for `Attempt.settle`. */
    outcome: (refusal: AuthRefusal | null) =>
      refusal !== null && wrongSecrets.has(refusal.code) ? ("failed" as const) : ("succeeded" as const),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;

async function accountKey({ account }: Endpoint, body: Body, users: UserLookup): Promise<string | null> {
  if (account === "email") {
    const email = emailIn(body["email"]);
    return email && `account:${email}`;
  }
  if (account === "challenge") {
    const email = (await users.challengedEmail()) ?? (await users.caller())?.email;
    return email === undefined ? null : `account:${email}`;
  }
  if (account === "caller") {
    const caller = await users.caller();
    // A separate key from sign-in. Otherwise an attacker's guesses could lock the signed-in owner out of the settings.
    return caller && `confirmation:${caller.userId}`;
  }
  return null;
}

function emailIn(value: unknown): string | null {
  return typeof value === "string" ? value.toLowerCase() : null;
}
