import { Problem } from "@purser/core";
import { isUnavailable, sqlState } from "@purser/db";
import { ExitCode, Interrupted, NotFound } from "./exit-code.ts";
import { printable } from "./output.ts";

/** Why a command failed, in one line for people, without a stack and without secrets. */
export function explain(error: unknown): { message: string; exitCode: number } {
  return { message: printable(sentence(error)), exitCode: exitCodeOf(error) };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return ExitCode.interrupted;
  if (error instanceof NotFound) return ExitCode.notFound;
  return error instanceof Problem && error.status === 404 ? ExitCode.notFound : ExitCode.failed;
}

/** Tables or the job runner's queues are missing. */
const notMigrated = new Set(["42P01", "42703", "3F000"]);

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnavailable(error)) {
    return `The database cannot be reached (${codeOf(error)}). Does it run, and is DATABASE_URL its address?`;
  }
  const state = sqlState(error);
  if (notMigrated.has(state ?? "") || /^Queue .* does not exist$/.test(error.message)) {
    return "The database is not up to date. Run: pnpm purser migrate";
  }
  return state === undefined
    ? error.message || error.name
    : `The database refuses: ${innermost(error).message}`;
}

function codeOf(error: Error): string {
  const { code, message } = innermost(error) as NodeJS.ErrnoException;
  return code ?? message;
}

/** Wrappers repeat the statement with its parameters; what happened stands at the bottom. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
