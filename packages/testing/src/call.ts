import type { Problem } from "@purser/core";
import { procedureProblem } from "@purser/router";

/** Calls a procedure by its path, in process or through a client, for tests that are generated from the router. */
export function callProcedure(caller: object, path: string, input: unknown): Promise<unknown> {
  // The caller is a proxy that is called at any depth, which its type cannot say.
  const procedure = path
    .split(".")
    .reduce((node, name) => node[name] as never, caller as Record<string, unknown>);
  return (procedure as unknown as (input: unknown) => Promise<unknown>)(input);
}

/** What a caller learns of an error that a procedure threw. */
export function problemOf(error: unknown): Problem {
  return procedureProblem(error);
}

/** The code of the problem with which this call fails; throws when it succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const output = await call.then(
    (value) => ({ value }),
    (error: unknown) => problemOf(error).code,
  );
  if (typeof output === "object") throw new Error(`It succeeded with ${JSON.stringify(output.value)}`);
  return output;
}
