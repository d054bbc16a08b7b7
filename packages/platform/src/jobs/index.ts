export {
  defineJob,
  type JobDefinition,
  type JobHandler,
  onSchedule,
  PermanentFailure,
} from "./definition.ts";
export { drainJobs } from "./drain.ts";
export { type PlatformJobPorts, platformHandlers } from "./handlers.ts";
export { migrateJobs } from "./migrate.ts";
export { platformJobs, webhookJobOf, webhookJobs } from "./platform-jobs.ts";
export { type HandledJob, handleJobs, registerHandlers } from "./registry.ts";
export { type Sweep, type Worker, startWorker } from "./worker.ts";
