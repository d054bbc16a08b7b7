export { type Outbox, openOutbox } from "./enqueue.ts";
export { type OutboxState, discardOutbox, listOutbox, replayOutbox, showOutbox } from "./inspect.ts";
