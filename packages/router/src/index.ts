export { completeLink, listQuarantine, rehashAccounts } from "./banking/index.ts";
export { returnFromCheckout } from "./billing/index.ts";
export type { Context, ServicePlatform } from "./context.ts";
export { type Platform, type RequestInfo, createContext } from "./platform/context.ts";
export { demoPassword, demoPeople, ensureDemo, seedDemo } from "./demo.ts";
export type { Auth } from "./identity/index.ts";
export { networkOf } from "./platform/rate-limits/attempts.ts";
export { listAdministrators, revokeAdministrator } from "./identity/administrators.ts";
export { removeSecondFactor, removeSecondFactors } from "./identity/second-factors.ts";
export type { Caller } from "./platform/caller.ts";
export { type OpenPlatform, openPlatform } from "./open.ts";
export { openApiDocument } from "./openapi.ts";
export { releaseUser, transferOrganization } from "./organizations/index.ts";
export {
  type InboxStatus,
  type WebhookKey,
  type WebhookReceiver,
  listInbox,
  discardWebhook,
  receiveWebhook,
  replayWebhook,
  showInbox,
} from "./platform/inbox.ts";
export { platformJobs } from "./platform/jobs/platform-jobs.ts";
export { firstUnopened, keyStatus, rotateKeys } from "./platform/keys.ts";
export type { Meter, MetricDefinition } from "./platform/metrics.ts";
export type { RequestLimit } from "./platform/rate-limits/requests.ts";
export { migrateDatabase } from "./platform/migrate.ts";
export type { DevelopmentMailbox, StoredMail } from "./platform/mail/mailbox.ts";
export { type Settings, SettingsError, processEnvironment } from "./platform/settings.ts";
export { type ServiceSettings, readSettings } from "./service/settings.ts";
export {
  type OutboxState,
  discardOutbox,
  listOutbox,
  replayOutbox,
  showOutbox,
} from "./platform/outbox/inspect.ts";
export type { Tracer } from "./platform/tracer.ts";
export { procedureProblem } from "./problems.ts";
export { registeredJobs } from "./service/jobs.ts";
export { registeredMetrics } from "./service/metrics.ts";
export { type RestRequest, type RestRoute, restRoutes } from "./rest.ts";
export { type AppRouter, appRouter, createCaller, routerOf } from "./router.ts";
