import { Problem } from "@purser/core";
import { isUnavailable, sqlState } from "@purser/db";

/** Maps any error to the catalog. An unforeseen one becomes INTERNAL, which reveals nothing. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error) || retryable.has(sqlState(error) ?? "")) {
    return new Problem("UNAVAILABLE", { retryAfterSeconds: 1, cause: error });
  }
  return new Problem("INTERNAL", { cause: error });
}

/**
 * Errors that another attempt may not meet: statement timeout, lock timeout, idle-in-transaction timeout, and
 * serialization failures and deadlocks that outlasted every retry.
 */
const retryable = new Set(["57014", "55P03", "25P03", "40001", "40P01"]);

/** Throws the failures of work that went on after each of them. Does nothing without failures. */
export function throwAll(failures: readonly unknown[]): void {
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
}
