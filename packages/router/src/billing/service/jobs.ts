import type { BillingPlatform } from "../context.ts";
import type { JobHandlers, JobName } from "../../platform/jobs.ts";
import { errorText } from "@purser/core";
import { refreshCatalogue } from "../plans/service.ts";
import { BillingError, type ProviderName, type SubscriptionPointer } from "../ports.ts";
import { reconcile } from "./reconcile.ts";
import { tickLocalBilling, tidyLocalBilling } from "./local.ts";
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
): Pick<JobHandlers, Extract<JobName, `billing.${string}`>> {
  return {
    "billing.synchronise": async ({ provider, ...pointer }) =>
      void (await synchronise(platform, provider, pointer)),
    "billing.expire": (checkout) => expireAtProvider(platform, checkout),
    "billing.reconcile": () => reconcile(platform),
    "billing.refresh": () => refreshCatalogues(platform),
    "billing.tick": () => tickLocalBilling(platform),
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

/** Whoever comes back late to a page of the built-in provider is told for a day that it is over. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

/** What billing wants done once an hour: the built-in provider's pages that have ended are deleted. */
export function tidyBilling(platform: BillingPlatform): Promise<void> {
  return tidyLocalBilling(platform, new Date(platform.clock.now().getTime() - keptMilliseconds));
}

async function refreshCatalogues(platform: BillingPlatform): Promise<void> {
  for (const provider of platform.payments.configured) {
    await refreshCatalogue(platform, provider).catch((error: unknown) =>
      platform.logger.warn({ provider, reason: errorText(error) }, "The plans could not be read anew"),
    );
  }
}
