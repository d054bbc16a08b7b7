import type { Problem } from "@purser/core";
import { isTrackedStream, procedureProblem } from "@purser/router";

/**
 * Calls a procedure by its path, in process or through a client. For tests that iterate over the router.
 *
 * @example
 * await callProcedure(purser.as(owner), "cards.list", { organizationId });
 */
export function callProcedure(caller: object, path: string, input: unknown): Promise<unknown> {
  // The caller is a proxy that can be called at any depth, which its type does not express.
  const procedure = path
    .split(".")
    .reduce((node, name) => node[name] as never, caller as Record<string, unknown>);
  return (procedure as unknown as (input: unknown) => Promise<unknown>)(input);
}

/** Ends the stream that a subscription has answered with. Without an end, it counts as open. */
export async function endStream(output: unknown): Promise<void> {
  if (isTrackedStream(output)) await output.return();
}

/** Returns the problem that a caller sees for an error of a procedure. */
export function problemOf(error: unknown): Problem {
  return procedureProblem(error);
}

/**
 * Returns "ok", or the problem code with which a call is refused. Throws what is not a refusal: each status from 500.
 *
 * @example
 * expect(await outcomeOf(purser.as(member).cards.create(input))).toBe("FORBIDDEN");
 */
export function outcomeOf(call: Promise<unknown>): Promise<Problem["code"] | "ok"> {
  return call.then(
    () => "ok" as const,
    (error: unknown) => {
      const { code, status } = problemOf(error);
      if (status >= 500) throw error;
      return code;
    },
  );
}

/**
 * Returns the problem code with which a call fails. Throws if the call succeeds.
 *
 * @example
 * expect(await refusalOf(purser.as(member).cards.create(input))).toBe("FORBIDDEN");
 */
export async function refusalOf(call: Promise<unknown>): Promise<Problem["code"]> {
  const output = await call.then(
    (value) => ({ value }),
    (error: unknown) => problemOf(error).code,
  );
  if (typeof output === "object") throw new Error(`It succeeded with ${JSON.stringify(output.value)}`);
  return output;
}
