import type { AnyTRPCRouter } from "@trpc/server";
import type { Tracing } from "./port.ts";

type Procedure = ((options: object) => Promise<unknown>) & object;

/** The same router, each of whose procedures is followed, whichever door it is called through. */
export function tracedRouter(router: AnyTRPCRouter, tracing: Tracing): AnyTRPCRouter {
  const procedures = Object.entries(router._def.procedures as unknown as Record<string, Procedure>);
  const traced = procedures.map(([name, procedure]) => {
    const run = (options: object) => tracing.procedure(name, () => procedure(options));
    return [name, Object.assign(run, procedure)];
  });
  return { ...router, _def: { ...router._def, procedures: Object.fromEntries(traced) } };
}
