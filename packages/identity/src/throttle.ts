import { type Attempt, type Attempts, type Platform, networkOf } from "@purser/platform";
import type { Body } from "./body-validation.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Refusal } from "./responses.ts";

/** Looks up the user behind a request. */
export interface Whom {
  caller(): Promise<{ userId: string; email: string } | null>;
  /** Returns the e-mail of the user who entered the password and owes the second factor. */
  challenged(): Promise<string | null>;
}

/** better-auth's codes for a wrong secret. Other failures do not count. */
const wrongSecrets = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_PASSWORD",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);

/** Applies the contract's attempt limits to the endpoints that take secrets or send mails. */
export function createThrottle({ settings }: Platform, attempts: Attempts) {
  const perAddress = { limit: settings.authAttemptsPerAddress, windowSeconds: 60 };
  const perAccount = { limit: settings.authAttemptsPerAccount, windowSeconds: 900 };

  return {
    /** Throws RATE_LIMITED after too many attempts from this address in the last minute. */
    async admitAddress(endpoint: Endpoint, address: string): Promise<void> {
      if (endpoint.attempt) await attempts.take(`address:${networkOf(address)}`, perAddress);
    },

    /** Throws RATE_LIMITED after too many mails to one address, whether or not it has an account. */
    async admitMail({ mails }: Endpoint, body: Body): Promise<void> {
      const to = mails && emailIn(body[mails]);
      if (to) await attempts.take(`mail:${to}`, perAccount);
    },

    /** Begins an attempt on an account. Returns null if the request names none, because it cannot succeed. */
    async begin(endpoint: Endpoint, body: Body, whom: Whom): Promise<Attempt | null> {
      const key = await accountKey(endpoint, body, whom);
      return key === null ? null : attempts.begin(key, perAccount);
    },

    /** Returns the outcome of an attempt for `Attempt.settle`. */
    outcome: (refusal: Refusal | null) =>
      refusal !== null && wrongSecrets.has(refusal.code) ? ("failed" as const) : ("succeeded" as const),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;

async function accountKey({ account }: Endpoint, body: Body, whom: Whom): Promise<string | null> {
  if (account === "email") {
    const email = emailIn(body["email"]);
    return email && `account:${email}`;
  }
  if (account === "challenge") {
    const email = (await whom.challenged()) ?? (await whom.caller())?.email;
    return email === undefined ? null : `account:${email}`;
  }
  if (account === "caller") {
    const caller = await whom.caller();
    // A separate key from sign-in. Otherwise an attacker's guesses could lock the signed-in owner out of the settings.
    return caller && `confirmation:${caller.userId}`;
  }
  return null;
}

function emailIn(value: unknown): string | null {
  return typeof value === "string" ? value.toLowerCase() : null;
}
