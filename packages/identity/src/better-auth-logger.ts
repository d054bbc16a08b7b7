import { type Logger, errorText } from "@purser/core";
import type { BetterAuthOptions } from "better-auth";
import { z } from "zod";

/** Leads what better-auth logs to our logger. */
export function logTo(logger: Logger): NonNullable<BetterAuthOptions["logger"]> {
  return {
    level: "warn",
    log: (level, message, ...facts: unknown[]) => {
      const [, refused] = clientMistake.exec(message) ?? [];
      if (refused === undefined)
        logger[level]({ source: "better-auth", facts: facts.map(describeFailure) }, errorText(message));
      else logger.debug({ source: "better-auth" }, refused);
    },
  };
}

/** What better-auth calls an error though a client made it, up to where the client's own text begins. */
const clientMistake = /^(Invalid (?:origin|\w+URL)|Blocked cross-site navigation login attempt)\b/;

/** What may be logged of a failure: a failed query's own message carries the values it was sent with. */
export function describeFailure(failure: unknown): unknown {
  let innermost = failure;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return typeof innermost === "object" ? undefined : errorText(innermost);
  const stack = innermost.stack?.split("\n").filter((line) => line.startsWith("    at "));
  return { name: innermost.name, ...messageOf(innermost), ...codesOf(innermost), stack };
}

/** PostgreSQL's messages, which have a severity, may quote the value it stumbled over; its code says enough. */
function messageOf(error: Error): { message?: string } {
  return "severity" in error || "params" in error ? {} : { message: errorText(error) };
}

/** better-auth's code is in the body of its errors, everybody else's is on the error. */
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
