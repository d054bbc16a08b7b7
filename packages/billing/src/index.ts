export { type BillingPlatform } from "./context.ts";
export {
  OpenPortal,
  ResumedSubscription,
  StartCheckout,
  SyncSubscription,
  TheSubscription,
} from "./contract.ts";
export { billingHooks } from "./hooks.ts";
export { billingJobs, sandboxBillingJobs } from "./job-definitions.ts";
export { billingHandlers } from "./jobs.ts";
export { billingMetrics } from "./metrics.ts";
export { openPayments } from "./providers.ts";
export { cancelSubscription, resumeSubscription } from "./service/cancel-and-resume.ts";
export { checkout } from "./service/checkout.ts";
export { openPortal } from "./service/portal.ts";
export { resolveCheckoutReturn } from "./service/resolve-checkout.ts";
export { syncSubscription } from "./service/sync.ts";
export { synchronizeSubscription } from "./service/synchronize.ts";
export { findSubscription } from "./store.ts";
export { billingReceivers } from "./webhooks.ts";
