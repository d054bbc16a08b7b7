import type { BetterAuthOptions } from "better-auth";
import type { Logger } from "../platform/logger.ts";

/** Leads what better-auth logs to our logger, without the values that a failed query carries in its message. */
export function logTo(logger: Logger): NonNullable<BetterAuthOptions["logger"]> {
  return {
    level: "warn",
    log: (level, message, ...facts: unknown[]) =>
      logger[level]({ source: "better-auth", facts: facts.map(withoutValues) }, message),
  };
}

function withoutValues(fact: unknown): unknown {
  if (!(fact instanceof Error)) return typeof fact === "object" ? undefined : fact;
  const { cause } = fact;
  return { name: fact.name, message: cause instanceof Error ? cause.message : fact.message };
}
