import type { BillingPlatform } from "../context.ts";
import type { JobHandlers, JobName } from "../../platform/jobs.ts";
import { errorText } from "@purser/core";
import { refreshCatalogue } from "../plans/service.ts";
import { BillingError, type ProviderName, type SubscriptionPointer } from "../ports.ts";
import { reconcile } from "./reconcile.ts";
import { synchronise } from "./synchronise.ts";

/** A subscription that is to be asked for. */
export interface SubscriptionPlace extends SubscriptionPointer {
  provider: ProviderName;
}

/** A checkout at a provider that nobody shall pay at any more. */
export interface CheckoutExpiry {
  provider: ProviderName;
  reference: string;
}

/** What billing does in the background. */
export function billingJobs(
  platform: BillingPlatform,
): Pick<JobHandlers, Exclude<Extract<JobName, `billing.${string}`>, "billing.tick">> {
  return {
    "billing.synchronise": async ({ provider, ...pointer }) =>
      void (await synchronise(platform, provider, pointer)),
    "billing.expire": (checkout) => expireAtProvider(platform, checkout),
    "billing.reconcile": () => reconcile(platform),
    "billing.refresh": () => refreshCatalogues(platform),
  };
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
    await refreshCatalogue(platform, provider).catch((error: unknown) =>
      platform.logger.warn({ provider, reason: errorText(error) }, "The plans could not be read anew"),
    );
  }
}
