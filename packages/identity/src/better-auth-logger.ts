import { type Logger, errorText } from "@purser/core";
import type { BetterAuthOptions } from "better-auth";
import { z } from "zod";

/** Forwards better-auth's log lines to our logger. */
export function logTo(logger: Logger): NonNullable<BetterAuthOptions["logger"]> {
  return {
    level: "warn",
    log: (level, message, ...details: unknown[]) => {
      const [, refused] = clientMistake.exec(message) ?? [];
      if (refused === undefined)
        logger[level]({ source: "better-auth", details: details.map(describeFailure) }, errorText(message));
      else logger.debug({ source: "better-auth" }, refused);
    },
  };
}

/** Client mistakes that better-auth logs as errors. Matches up to the client's own text, which is not logged. */
const clientMistake = /^(Invalid (?:origin|\w+URL)|Blocked cross-site navigation login attempt)\b/;

/** Returns the loggable part of a failure. The message of a failed query contains its parameters, so it is left out. */
export function describeFailure(failure: unknown): unknown {
  let innermost = failure;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return typeof innermost === "object" ? undefined : errorText(innermost);
  const stack = innermost.stack?.split("\n").filter((line) => line.startsWith("    at "));
  return { name: innermost.name, ...messageOf(innermost), ...codesOf(innermost), stack };
}

/** Leaves out PostgreSQL's messages, recognized by their severity: they can quote values. The code is enough. */
function messageOf(error: Error): { message?: string } {
  return "severity" in error || "params" in error ? {} : { message: errorText(error) };
}

/** better-auth's errors have their code in `body`; other errors have it at the top level. */
function codesOf(error: Error): { code?: string; status?: string | number } {
  const { success, data } = Codes.safeParse(error);
  if (!success) return {};
  const code = data.code ?? data.body?.code;
  const status = data.statusCode ?? data.status;
  return { ...(code !== undefined && { code }), ...(status !== undefined && { status }) };
}

const Code = z.string().optional().catch(undefined);
const Codes = z.object({
  code: Code,
  body: z.object({ code: Code }).optional().catch(undefined),
  status: z.union([z.string(), z.number()]).optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
});
