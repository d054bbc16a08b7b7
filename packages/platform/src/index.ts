export { type Actor, actorOf, audit, findAuditEntry, listAuditEntries, recordAudit } from "./audit.ts";
export { createBatcher } from "./batcher.ts";
export { type Caller } from "./caller.ts";
export {
  type BaseContext,
  createContext,
  type Platform,
  type RequestInfo,
  type RequestState,
  type SignedIn,
  type UserContext,
} from "./context.ts";
export { type HousekeepingTask } from "./housekeeping.ts";
export { purgeIdempotencyKeys, replayed } from "./idempotency.ts";
export {
  defineCounter,
  defineGauge,
  defineHistogram,
  type Meter,
  type MetricDefinition,
  noopMeter,
} from "./metrics.ts";
export { migrateDatabase } from "./migrate.ts";
export { requireItem, toPage } from "./page.ts";
export { platformMetrics } from "./platform-metrics.ts";
export { toProblem } from "./problems.ts";
export {
  type Attempt,
  type Attempts,
  createAttempts,
  networkOf,
  consumeAttempt,
} from "./rate-limits/attempts.ts";
export { createRequestLimit, type RequestLimit } from "./rate-limits/requests.ts";
export { trustedRedirect } from "./redirect.ts";
export { keyedHashes, type Keyring, seal, sealedIn, unseal } from "./secrets.ts";
export { tracedJobs, type Tracer } from "./tracing.ts";
export { retryTransaction, transact, transactAfterProviderCall } from "./transact.ts";
