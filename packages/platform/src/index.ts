// The request: its context, its transaction, its answer.
export {
  type Actor,
  actorOf,
  callerId,
  isOrganizationKey,
  refuseKey,
  requireAdministrator,
  userOf,
} from "./callers.ts";
export {
  type BaseContext,
  type Caller,
  type CallerContext,
  createContext,
  type CsvLines,
  type CsvPageRequest,
  emptyResponse,
  type OrganizationKeyCaller,
  type Platform,
  type PresentedCredential,
  type RequestInfo,
  type RequestState,
  type SignedIn,
  type UserCaller,
} from "./context.ts";
export { clientLeft, hasClientLeft, requireClient } from "./client-left.ts";
export { transact, transactAfterProviderCall, transactInOrganization } from "./transact.ts";
export { changeOrganization, databaseOf } from "./organization-node.ts";
export { retryTransaction } from "./retry-transaction.ts";
export { retryWhileUnavailable } from "./retry.ts";
export { recordIfPossible } from "./record-if-possible.ts";
export { withTimeout } from "./timeout.ts";
export { latestLeaseEnd, leaseEnd, leaseMs, sweepMs, whileRenewing } from "./leases.ts";
export {
  findStoredOutput,
  idempotencyRetentionMs,
  outdatedOutput,
  purgeIdempotencyKeys,
  releaseLapsedKeys,
} from "./idempotency/index.ts";
export {
  type Act,
  actOf,
  audit,
  findAuditEntry,
  findAuditActor,
  listAuditEntries,
  recordAudit,
} from "./audit.ts";
export { requireItem, toPage } from "./page.ts";
// Areas may not import it from the package of the tables, except in their stores.
export { isAway } from "@purser/db";
export { throwAll, toProblem } from "./problems.ts";
export { trustedRedirect } from "./redirect.ts";

// Load: rate limits, batches and locks.
export { type Attempt, type Attempts, consumeAttempt, createAttempts } from "./rate-limits/attempts.ts";
export { networkOfAddress } from "./rate-limits/network.ts";
export { createRequestLimit, type RateLimitResult, type RequestLimit } from "./rate-limits/requests.ts";
export { createBatcher, perPool } from "./batcher.ts";
export { type ConcurrencyLimit, createConcurrencyLimit } from "./concurrency-limit.ts";
export { type ProviderLocks, confirmLock, createProviderLocks } from "./locks.ts";

// Secrets at rest.
export { UnsealError, hashSecret, keyedHashes, type Keyring, seal, sealedIn, unseal } from "./secrets.ts";

// Metrics and traces.
export {
  defineCounter,
  defineGauge,
  defineHistogram,
  type GaugeValue,
  type Meter,
  type MetricDefinition,
  noopMeter,
} from "./metrics.ts";
export { insertingFrom, insertingInto } from "./inserting.ts";
export { platformMetrics } from "./platform-metrics.ts";
export { tracedJobs, type Tracer } from "./tracing.ts";

// Operation.
export { type HousekeepingTask } from "./housekeeping.ts";
export { migrateDatabase } from "./migrate.ts";
