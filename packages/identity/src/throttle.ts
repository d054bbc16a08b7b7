import { type Attempt, type Attempts, type Platform, networkOf } from "@purser/platform";
import type { Body } from "./body-validation.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Refusal } from "./responses.ts";

/** Who the user behind a request is, as far as it shows one. */
export interface Whom {
  caller(): Promise<{ userId: string; email: string } | null>;
  /** The e-mail of the user who has given the password and now owes a second factor. */
  challenged(): Promise<string | null>;
}

/** Answers that mean a secret was wrong, by better-auth's codes. Any other failure is not held against anybody. */
const wrongSecrets = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_PASSWORD",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);

/** The limits of attempts that the contract names, applied to the endpoints that take secrets or send mails. */
export function createThrottle({ settings }: Platform, attempts: Attempts) {
  const perAddress = { limit: settings.authAttemptsPerAddress, windowSeconds: 60 };
  const perAccount = { limit: settings.authAttemptsPerAccount, windowSeconds: 900 };

  return {
    /** Throws RATE_LIMITED where too many attempts came from this address in the last minute. */
    async admitAddress(endpoint: Endpoint, address: string): Promise<void> {
      if (endpoint.attempt) await attempts.take(`address:${networkOf(address)}`, perAddress);
    },

    /** Throws RATE_LIMITED for one mail too many to the same person, whether or not we know them. */
    async admitMail({ mails }: Endpoint, body: Body): Promise<void> {
      const to = mails && emailIn(body[mails]);
      if (to) await attempts.take(`mail:${to}`, perAccount);
    },

    /** Begins an attempt on an account; null where the request names none, and so cannot succeed. */
    async begin(endpoint: Endpoint, body: Body, whom: Whom): Promise<Attempt | null> {
      const key = await accountKey(endpoint, body, whom);
      return key === null ? null : attempts.begin(key, perAccount);
    },

    /** What an attempt came to. */
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
    // Not the key of signing in: or a stranger's guesses would keep the signed-in owner from their settings.
    return caller && `confirmation:${caller.userId}`;
  }
  return null;
}

function emailIn(value: unknown): string | null {
  return typeof value === "string" ? value.toLowerCase() : null;
}
