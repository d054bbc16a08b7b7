import type { HandledJob, JobDefinition, JobHandler } from "@purser/platform/jobs";

/**
 * Returns the handler of a job, to call it without the queue.
 *
 * @example
 * await handlerOf(purser.handlers, bankingJobs.sync)({ organizationId, connectionId }, { id, attempt: 1, last: true });
 */
export function handlerOf<Payload>(
  handlers: readonly HandledJob[],
  job: JobDefinition<Payload>,
): JobHandler<Payload> {
  const handled = handlers.find(({ definition }) => definition === job);
  if (handled === undefined) throw new Error(`The job ${job.name} has no handler`);
  return handled.handle as JobHandler<Payload>;
}

/** Returns the handlers with the handler of one job replaced. */
export function withHandler<Payload>(
  handlers: readonly HandledJob[],
  job: JobDefinition<Payload>,
  handle: JobHandler<NoInfer<Payload>>,
): HandledJob[] {
  return handlers.map((one) => (one.definition === job ? { definition: job, handle } : one));
}
