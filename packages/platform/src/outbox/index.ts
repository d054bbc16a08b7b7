export { type Outbox, openOutbox } from "./enqueue.ts";
export { type OutboxState, discardJob, listOutbox, replayJob, showJob } from "./inspect.ts";
