import type { JobDefinition, JobHandler } from "./definition.ts";

/** A definition and its handler. */
export interface HandledJob<Payload = never> {
  readonly definition: JobDefinition<Payload>;
  readonly handle: JobHandler<Payload>;
}

type JobDefinitions = Readonly<Record<string, JobDefinition>>;

type HandlersOf<Definitions extends JobDefinitions> = {
  readonly [Key in keyof Definitions]: Definitions[Key] extends JobDefinition<infer Payload>
    ? JobHandler<Payload>
    : never;
};

/**
 * Pairs an area's definitions with their handlers. A missing, superfluous, or mistyped handler is a type error.
 *
 * @example
 * handleJobs({ sendMail }, { sendMail: (mail, { id }) => port.send(mail, id) });
 */
export function handleJobs<Definitions extends JobDefinitions>(
  definitions: Definitions,
  handlers: HandlersOf<NoInfer<Definitions>>,
): HandledJob[] {
  return Object.entries(definitions).map(([key, definition]) => ({ definition, handle: handlers[key]! }));
}

/**
 * Checks that each job has one handler, and each handler a job. The queues are created from the same list of jobs, so
 * a job outside of it has no queue.
 */
export function registerHandlers(
  jobs: readonly JobDefinition[],
  handlers: readonly HandledJob[],
): readonly HandledJob[] {
  const unhandled = new Map<string, JobDefinition>();
  for (const job of jobs) {
    if (unhandled.has(job.name)) throw new Error(`Two jobs have the name ${job.name}`);
    unhandled.set(job.name, job);
  }
  for (const { definition } of handlers) {
    const { name } = definition;
    if (unhandled.get(name) !== definition)
      throw new Error(`The job ${name} has a handler but is not registered, or has two handlers`);
    unhandled.delete(name);
  }
  if (unhandled.size > 0) throw new Error(`No handler for the jobs ${[...unhandled.keys()].join(", ")}`);
  return handlers;
}
