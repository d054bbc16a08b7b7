import type { QueryTracer } from "@purser/db";
import type { HandledJob } from "./jobs/registry.ts";

/**
 * Follows what is done, where somebody looks at traces. It is told names, never what they are about: no parameters, no
 * identifiers, nobody's address. Where nobody looks there is none, and nothing is wrapped.
 */
export interface Tracer extends QueryTracer {
  /** Runs a job as a trace of its own. */
  job<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

/** The same handlers; each run is a trace. */
export function tracedJobs(handlers: readonly HandledJob[], tracer: Tracer): HandledJob[] {
  return handlers.map(({ definition, handle }) => ({
    definition,
    handle: (payload, job) => tracer.job(definition.name, () => handle(payload, job)),
  }));
}
