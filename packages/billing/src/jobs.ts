import { errorText } from "@purser/core";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import type { BillingPlatform } from "./context.ts";
import { type CheckoutExpiry, type SubscriptionToFetch, billingJobs } from "./job-definitions.ts";
import { refreshCatalog } from "./service/catalogs.ts";
import { BillingError } from "./ports.ts";
import { reconcileSubscriptions } from "./service/reconcile.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";

/** The handlers of billing's jobs. */
export function billingHandlers(platform: BillingPlatform): HandledJob[] {
  return handleJobs(billingJobs, {
    synchronize: (subscription, { last }) => synchronize(platform, subscription, last),
    expire: (checkout) => expireAtProvider(platform, checkout),
    reconcile: () => reconcileSubscriptions(platform),
    refresh: () => refreshCatalogs(platform),
  });
}

/** The last failure does not leave a dead job: reconciliation will enqueue another one. */
async function synchronize(
  platform: BillingPlatform,
  { provider, ...pointer }: SubscriptionToFetch,
  isLast: boolean,
): Promise<void> {
  try {
    await synchronizeSubscription(platform, provider, pointer);
  } catch (error) {
    if (!isLast) throw error;
    platform.logger.warn(
      { provider, reason: errorText(error) },
      "Fetching a subscription failed in all attempts",
    );
  }
}

async function expireAtProvider(
  { payments }: BillingPlatform,
  { provider, reference }: CheckoutExpiry,
): Promise<void> {
  if (!payments.configured.includes(provider)) return;
  const adapter = await payments.at(provider);
  if (!adapter.capabilities.expiresCheckouts) return;
  try {
    await adapter.expireCheckout(reference);
  } catch (error) {
    // A checkout that no longer exists accepts no payment, which is the goal.
    if (!(error instanceof BillingError) || error.kind !== "not_found") throw error;
  }
}

async function refreshCatalogs(platform: BillingPlatform): Promise<void> {
  for (const provider of platform.payments.configured) {
    await refreshCatalog(platform, provider).catch((error: unknown) =>
      platform.logger.warn({ provider, reason: errorText(error) }, "Refreshing the plans failed"),
    );
  }
}
