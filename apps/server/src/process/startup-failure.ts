import { isUnavailable, sqlState } from "@purser/db";

/** Returns why a start failed, as one paragraph for an operator. It contains no stack and no secret. */
export function startupFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (errorCode(error) === "53300") {
    return `The database has no free connection: ${rootCause(error).message}. Raise its limit, or lower the pool sizes.`;
  }
  if (isUnavailable(error)) {
    return `The database cannot be reached (${errorCode(error)}). Check that it is running and that DATABASE_URL is its address.`;
  }
  // PostgreSQL's own message, such as a wrong password or an unknown database.
  if (sqlState(error) !== undefined) return `The database refused: ${rootCause(error).message}.`;
  return error.message || error.name;
}

function errorCode(error: Error): string {
  const { code, message } = rootCause(error) as NodeJS.ErrnoException;
  return code ?? message;
}

/** Wrapping errors repeat the statement with its parameters. Only the root cause is safe to print. */
function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
