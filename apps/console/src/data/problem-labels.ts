import { isProblem } from "@purser/client";

/** What happened, for people. */
export const titleOf = (error: unknown): string =>
  isProblem(error, "NETWORK_FAILURE", "TIMEOUT")
    ? "Purser cannot be reached"
    : isProblem(error)
      ? // People read the issues as the advice.
        error.code === "VALIDATION_FAILED"
        ? "The input is not valid."
        : error.message
      : "This could not be shown";

/** What to do about it. Null if what happened says it. The `help` of a problem is for developers. */
export function adviceFor(error: unknown): string | null {
  if (isProblem(error, "NETWORK_FAILURE", "TIMEOUT")) return "Check your connection, then try again.";
  if (!isProblem(error)) return "If it happens again, tell your administrator.";
  if (error.issues.length > 0) return error.issues.map(({ message }) => message).join(" · ");
  if (error.retryable) return "Try again in a moment.";
  return error.status >= 500 ? "If it happens again, tell your administrator." : null;
}
