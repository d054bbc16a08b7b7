export { type EventsPlatform } from "./context.ts";
export * from "./contract.ts";
export { feedMetrics } from "./feed/metrics.ts";
export { eventSweeps, eventTasks } from "./jobs.ts";
export { type EventListener, PostgresEventListener } from "./listener.ts";
export * from "./service.ts";
export { EventStreams } from "./stream/event-streams.ts";
