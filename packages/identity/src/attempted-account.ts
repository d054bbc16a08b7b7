import { Problem, validationFailed } from "@purser/core";
import type { Body } from "./body-validation.ts";
import type { Endpoint } from "./endpoints.ts";
import { AuthRefused } from "./responses.ts";

/** Finds the users of a request. */
export interface UserLookup {
  caller(): Promise<{ userId: string; email: string; emailVerified: boolean } | null>;
  /** Returns the user of the pending two-factor sign-in: the password was right, the second factor is still missing. */
  pendingSignIn(): Promise<{ userId: string; email: string } | null>;
  /** Whether a sign-in of this user asks for a code. */
  hasSecondFactor(userId: string): Promise<boolean>;
}

/** The account that an attempt counts against. */
export interface AttemptedAccount {
  /** The key of the limit. */
  key: string;
  /** Null for an address, which may have no account. */
  userId: string | null;
  /** What names the account. better-auth must not see another one. */
  namedBy: NonNullable<Endpoint["account"]>;
}

/**
 * Finds the account whose secret an endpoint checks. Returns null for an endpoint that checks none. Throws if no account
 * can be found: the attempt could not be counted.
 */
export async function findAttemptedAccount(
  { account }: Endpoint,
  body: Body,
  users: UserLookup,
): Promise<AttemptedAccount | null> {
  if (account === undefined) return null;
  if (account === "email") {
    const { email } = body;
    if (typeof email === "string")
      return { key: `account:${email.toLowerCase()}`, userId: null, namedBy: "email" };
    const message = email === undefined ? "Required" : "Must be an e-mail address";
    throw validationFailed([{ path: ["email"], code: "invalid_type", message }]);
  }
  const caller = await users.caller();
  if (account === "caller" && caller === null) throw new Problem("UNAUTHENTICATED");
  // The code that switches the second factor on could not complete a sign-in.
  if (caller !== null && (account === "caller" || !(await users.hasSecondFactor(caller.userId)))) {
    // A separate key from sign-in. Otherwise an attacker's guesses could lock the signed-in owner out of the settings.
    return { key: `confirmation:${caller.userId}`, userId: caller.userId, namedBy: "caller" };
  }
  // better-auth checks the caller's code if there is a session, even with a pending sign-in of another account.
  const user = caller ?? (await users.pendingSignIn());
  if (user === null)
    throw new AuthRefused({ code: "INVALID_TWO_FACTOR_COOKIE", message: "Invalid two factor cookie" }, 401);
  const namedBy = caller === null ? "challenge" : "caller";
  return { key: `account:${user.email}`, userId: user.userId, namedBy };
}
