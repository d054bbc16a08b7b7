import type { QueryTracer } from "@purser/db";
import type { JobHandlers } from "./jobs.ts";

/**
 * Follows what is done, where somebody looks at traces. It is told names, never what they are about: no parameters, no
 * identifiers, nobody's address. Where nobody looks there is none, and nothing is wrapped.
 */
export interface Tracer extends QueryTracer {
  /** Runs a job as a trace of its own. */
  job<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

/** The same handlers, each of whose runs is followed. */
export function tracedJobs(handlers: JobHandlers, tracer: Tracer): JobHandlers {
  const traced = Object.entries(handlers).map(([name, handler]) => {
    const run = handler as (...args: unknown[]) => Promise<void>;
    return [name, (...args: unknown[]) => tracer.job(name, () => run(...args))];
  });
  return Object.fromEntries(traced) as JobHandlers;
}
