import { constraintName, sqlState } from "@purser/db";

/** Returns the unique constraint that refused a row, or null for any other failure. */
export function findViolatedConstraint(error: unknown): string | null {
  return sqlState(error) === "23505" ? (constraintName(error) ?? null) : null;
}

/** Whether a row was refused because it references a row that is gone. */
export const isReferenceMissing = (error: unknown): boolean => sqlState(error) === "23503";
