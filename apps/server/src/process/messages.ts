import { isUnavailable, sqlState } from "@purser/db";
import type { Settings } from "@purser/platform/settings";
import { demoPassword, demoPeople } from "@purser/service";

interface Startup {
  settings: Settings;
  /** Whether the demo users exist. */
  demo: boolean;
}

/** Returns what a developer needs to know once the service is ready: addresses and demo sign-ins. */
export function startupMessage({ settings, demo }: Startup): string {
  const { baseUrl, smtpUrl } = settings;
  const addresses: [string, string][] = [
    ["Start page", baseUrl],
    ["API reference", `${baseUrl}/docs`],
    ["REST", `${baseUrl}/api`],
    ["tRPC", `${baseUrl}/trpc`],
  ];
  if (smtpUrl === null) addresses.push(["Mailbox", `${baseUrl}/dev/mail`]);
  const lines = ["", "Purser is ready.", "", ...addresses.map(([name, url]) => row(name, url))];
  if (demo) lines.push("", `Demo sign-ins, with the password ${demoPassword}:`, "", ...demoSignIns());
  return [...lines, "", "Press Ctrl-C to stop.", ""].join("\n");
}

function demoSignIns(): string[] {
  return demoPeople.map(({ email, name }) => row(name, email));
}

const row = (name: string, value: string) => `  ${name.padEnd(20)} ${value}`;

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
