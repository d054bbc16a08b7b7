import { isUnavailable, sqlState } from "@purser/db";

/** Why a start failed, as one paragraph for people. It holds no stack and no secret. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnavailable(error)) {
    return `The database cannot be reached (${technical(error)}). Does it run, and is DATABASE_URL its address?`;
  }
  // What PostgreSQL itself says, such as a wrong password, or that there is no such database.
  if (sqlState(error) !== undefined) return `The database refuses: ${innermost(error).message}.`;
  return error.message || error.name;
}

function technical(error: Error): string {
  const { code, message } = innermost(error) as NodeJS.ErrnoException;
  return code ?? message;
}

/** Wrappers repeat the statement with its parameters; what happened stands at the bottom. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
