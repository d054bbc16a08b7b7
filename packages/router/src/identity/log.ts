import type { BetterAuthOptions } from "better-auth";
import type { Logger } from "../platform/logger.ts";
import { errorText } from "../platform/secrets/redact.ts";

/** Leads what better-auth logs to our logger. */
export function logTo(logger: Logger): NonNullable<BetterAuthOptions["logger"]> {
  return {
    level: "warn",
    log: (level, message, ...facts: unknown[]) =>
      logger[level]({ source: "better-auth", facts: facts.map(describeFailure) }, errorText(message)),
  };
}

/** What may be logged of a failure: a failed query's own message carries the values it was sent with. */
export function describeFailure(failure: unknown): unknown {
  let innermost = failure;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return typeof innermost === "object" ? undefined : errorText(innermost);
  const stack = innermost.stack?.split("\n").filter((line) => line.startsWith("    at "));
  return { name: innermost.name, message: errorText(innermost), stack };
}
