import { Problem } from "@purser/core";
import { AuthRefused } from "./responses.ts";
import { findViolatedConstraint, isReferenceMissing } from "./store/conflicts.ts";

const taken = "User already exists. Use another email.";
const concurrent = "Another request changed the account at the same time. Repeat this one.";

/** What a request lost to a concurrent one, by the constraint that refused its row. */
const conflicts: Readonly<Record<string, AuthRefused>> = {
  users_email_key: new AuthRefused({ code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", message: taken }, 422),
  two_factors_of_user: new AuthRefused({ code: "CONFLICT", message: concurrent, retryable: true }, 409),
  accounts_provider_key: new AuthRefused({ code: "CONFLICT", message: concurrent, retryable: true }, 409),
};

/**
 * Returns the refusal for a write that a concurrent request made impossible, or null for any other failure. better-auth
 * looks before it writes, and two requests can look at the same time.
 */
export function refusalOfConflict(error: unknown): Error | null {
  // Every foreign key of these tables leads to the user, who was deleted meanwhile.
  if (isReferenceMissing(error)) return new Problem("UNAUTHENTICATED");
  return conflicts[findViolatedConstraint(error) ?? ""] ?? null;
}
