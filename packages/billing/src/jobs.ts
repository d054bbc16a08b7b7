import type { BillingPlatform } from "./context.ts";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import { errorText } from "@purser/core";
import { refreshCatalog } from "./plans/service.ts";
import { type CheckoutExpiry, billingJobs } from "./job-definitions.ts";
import { BillingError } from "./ports.ts";
import { reconcile } from "./service/reconcile.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";

/** The handlers of billing's jobs. */
export function billingHandlers(platform: BillingPlatform): HandledJob[] {
  return handleJobs(billingJobs, {
    synchronise: async ({ provider, ...pointer }) =>
      void (await synchronizeSubscription(platform, provider, pointer)),
    expire: (checkout) => expireAtProvider(platform, checkout),
    reconcile: () => reconcile(platform),
    refresh: () => refreshCatalogues(platform),
  });
}

async function expireAtProvider(
  { payments }: BillingPlatform,
  { provider, reference }: CheckoutExpiry,
): Promise<void> {
  const adapter = await payments.at(provider);
  if (!adapter.capabilities.expiresCheckouts) return;
  try {
    await adapter.expireCheckout(reference);
  } catch (error) {
    // Nobody pays at a page that is not there any more.
    if (!(error instanceof BillingError) || error.kind !== "not_found") throw error;
  }
}

async function refreshCatalogues(platform: BillingPlatform): Promise<void> {
  for (const provider of platform.payments.configured) {
    await refreshCatalog(platform, provider).catch((error: unknown) =>
      platform.logger.warn({ provider, reason: errorText(error) }, "The plans could not be read anew"),
    );
  }
}
