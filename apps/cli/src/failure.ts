import { Problem } from "@purser/core";
import { isUnavailable, sqlState } from "@purser/db";
import { CommandInterrupted, ExitCode, NotFound } from "./exit-code.ts";
import { printable } from "./output.ts";

/** Returns why a command failed, as one line without stack and secrets, and its exit code. */
export function commandFailure(error: unknown): { message: string; exitCode: number } {
  return { message: printable(sentence(error)), exitCode: exitCodeOf(error) };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandInterrupted) return ExitCode.interrupted;
  if (error instanceof NotFound) return ExitCode.notFound;
  return error instanceof Problem && error.status === 404 ? ExitCode.notFound : ExitCode.failed;
}

/** SQLSTATEs of missing tables, columns and schemas. */
const notMigrated = new Set(["42P01", "42703", "3F000"]);

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnavailable(error)) {
    return `The database cannot be reached (${errorCode(error)}). Check that it is running and that DATABASE_URL is its address.`;
  }
  if (error instanceof Problem && error.issues) {
    return error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
  }
  const state = sqlState(error);
  if (notMigrated.has(state ?? "") || /^Queue .* does not exist$/.test(error.message)) {
    return "The database is not up to date. Run: pnpm purser migrate";
  }
  return state === undefined
    ? error.message || error.name
    : `The database refused: ${rootCause(error).message}`;
}

function errorCode(error: Error): string {
  const { code, message } = rootCause(error) as NodeJS.ErrnoException;
  return code ?? message;
}

/** Wrapping errors repeat the statement with its parameters. Only the root cause is safe to print. */
function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
