import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import type { BillingPlatform } from "./context.ts";
import { billingJobs } from "./job-definitions.ts";
import { refreshCatalogs } from "./service/catalogs.ts";
import { expireAtProvider } from "./service/close-checkout.ts";
import { moveCustomerAtProvider } from "./service/move-customer.ts";
import { reconcileSubscriptions } from "./service/reconcile.ts";
import { synchronizeInJob } from "./service/synchronize.ts";

/** The handlers of billing's jobs. */
export function billingHandlers(platform: BillingPlatform): HandledJob[] {
  return handleJobs(billingJobs, {
    synchronize: (subscription, { last }) => synchronizeInJob(platform, subscription, last),
    expire: (checkout) => expireAtProvider(platform, checkout),
    moveCustomer: (customer) => moveCustomerAtProvider(platform, customer),
    reconcile: () => reconcileSubscriptions(platform),
    refresh: () => refreshCatalogs(platform),
  });
}
