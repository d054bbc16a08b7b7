import { type Attempt, type Attempts, type Platform, networkOfAddress } from "@purser/platform";
import type { AttemptedAccount } from "./attempted-account.ts";
import type { Body } from "./body-validation.ts";
import type { Endpoint } from "./endpoints.ts";
import type { AuthRefusal } from "./responses.ts";
import type { Route } from "./route.ts";

/** better-auth's codes for a wrong secret. Other failures do not count. */
const wrongSecrets = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_PASSWORD",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);

/**
 * Limits attempts on the endpoints that take secrets or send mails: per network address within a minute, and per account
 * (failed attempts only) and per recipient of mails of one kind within 15 minutes.
 */
export function createThrottle({ settings }: Platform, attempts: Attempts) {
  const perAddress = { limit: settings.authAttemptsPerAddress, windowSeconds: 60 };
  const perAccount = { limit: settings.authAttemptsPerAccount, windowSeconds: 900 };

  return {
    /** Throws RATE_LIMITED after too many attempts from this address in the last minute. */
    async countAddress(endpoint: Endpoint, address: string): Promise<void> {
      if (endpoint.attempt) await attempts.take(`address:${networkOfAddress(address)}`, perAddress);
    },

    /**
     * Throws RATE_LIMITED after too many mails of one kind to one address, whether or not it has an account. Otherwise a
     * flood of other mails could keep the owner from resetting the password.
     */
    async countMail({ path, endpoint: { mails = "email" } }: Route, body: Body): Promise<void> {
      const to = emailIn(body[mails]);
      if (to) await attempts.take(`mail:${path}:${to}`, perAccount);
    },

    /** Begins an attempt on an account. */
    begin: ({ key }: AttemptedAccount): Promise<Attempt> => attempts.begin(key, perAccount),

    /** Returns the outcome of an attempt for `Attempt.settle`. */
    outcome: (refusal: AuthRefusal | null) =>
      refusal !== null && wrongSecrets.has(refusal.code) ? ("failed" as const) : ("succeeded" as const),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;

function emailIn(value: unknown): string | null {
  return typeof value === "string" ? value.toLowerCase() : null;
}
