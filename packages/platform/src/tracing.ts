import type { QueryTracer } from "@purser/db";
import type { HandledJob } from "./jobs/registry.ts";

/**
 * Records traces of jobs and database queries. It receives names only: no parameters, no identifiers, no addresses.
 * Without tracing there is no tracer, and nothing is wrapped.
 */
export interface Tracer extends QueryTracer {
  /** Runs a job as its own trace. */
  job<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

/** Returns handlers whose runs are traced. */
export function tracedJobs(handlers: readonly HandledJob[], tracer: Tracer): HandledJob[] {
  return handlers.map(({ definition, handle }) => ({
    definition,
    handle: (payload, job) => tracer.job(definition.name, () => handle(payload, job)),
  }));
}
