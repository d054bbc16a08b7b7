import { Problem, errorText } from "@purser/core";
import type { Executor } from "@purser/db";
import type { BillingPlatform } from "../context.ts";
import type { PaymentProviderName, Plan } from "../ports.ts";
import { paymentProblem } from "../providers.ts";
import { type SubscriptionRow, findCatalogTime, findPlan, listCatalogs, putCatalog } from "../store.ts";

/** A variant of a plan, and the provider that sells it. */
export interface Offer {
  provider: PaymentProviderName;
  planId: string;
  variantId: string;
}

/** Finds the provider that sells a variant of a plan. Throws PLAN_NOT_FOUND. */
export async function findOffer(
  platform: BillingPlatform,
  { planId, variantId }: Omit<Offer, "provider">,
): Promise<Offer> {
  const all = await readCatalogs(platform);
  for (const { provider, plans } of all) {
    const plan = plans.find(({ id }) => id === planId);
    if (plan?.variants.some(({ id }) => id === variantId)) return { provider, planId, variantId };
  }
  // The plan may be on sale at a provider whose catalog was never read.
  const unread = all.find(({ failure }) => failure !== undefined);
  throw unread ? paymentProblem(unread.failure) : new Problem("PLAN_NOT_FOUND");
}

/** Whether a provider sells a variant of a plan, or may do so, because its catalog cannot be read. */
export async function isPlanOffered(
  platform: BillingPlatform,
  offer: Omit<Offer, "provider">,
): Promise<boolean> {
  try {
    await findOffer(platform, offer);
    return true;
  } catch (error) {
    return !(error instanceof Problem && error.code === "PLAN_NOT_FOUND");
  }
}

/** Finds the plan of a subscription in the stored catalogs. A manual subscription may have a plan of any provider. */
export function findSubscribedPlan(
  { payments }: Pick<BillingPlatform, "payments">,
  db: Executor,
  { provider, planId }: Pick<SubscriptionRow, "provider" | "planId">,
): Promise<Plan | undefined> {
  return findPlan(db, provider === null ? payments.configured : [provider], planId);
}

interface Catalog {
  provider: PaymentProviderName;
  plans: Plan[];
  /** Why there are no plans, if the provider's catalog was never read. */
  failure?: unknown;
}

/** Returns the stored catalog of each provider. A catalog that was never read is read now. */
export async function readCatalogs(platform: BillingPlatform): Promise<Catalog[]> {
  const { configured } = platform.payments;
  const stored = await listCatalogs(platform.db, configured);
  return Promise.all(
    configured.map(async (provider) => {
      const known = stored.find((catalog) => catalog.provider === provider);
      if (known !== undefined) return known;
      try {
        return { provider, plans: await readFirstTime(platform, provider) };
      } catch (failure) {
        // An outage of one provider must not hide the plans of the others.
        platform.logger.warn({ provider, reason: errorText(failure) }, "Reading the plans failed");
        return { provider, plans: [], failure };
      }
    }),
  );
}

/** First reads in progress in this process. */
const firstReads = new WeakMap<BillingPlatform["payments"], Map<PaymentProviderName, Promise<Plan[]>>>();

/** Reads a catalog for the first time. The list is public, so concurrent callers share one read. */
async function readFirstTime(platform: BillingPlatform, provider: PaymentProviderName): Promise<Plan[]> {
  const reads = firstReads.get(platform.payments) ?? new Map<PaymentProviderName, Promise<Plan[]>>();
  firstReads.set(platform.payments, reads);
  const read = reads.get(provider) ?? refreshCatalog(platform, provider);
  reads.set(provider, read);
  try {
    return await read;
  } finally {
    reads.delete(provider);
  }
}

/** Reads the catalog of each provider. An outage of one does not keep the others from being read. */
export async function refreshCatalogs(platform: BillingPlatform): Promise<void> {
  for (const provider of platform.payments.configured) {
    await refreshCatalog(platform, provider).catch((error: unknown) =>
      platform.logger.warn({ provider, reason: errorText(error) }, "Refreshing the plans failed"),
    );
  }
}

/** Reads a provider's catalog and stores it. */
export async function refreshCatalog(
  { db, clock, payments }: BillingPlatform,
  provider: PaymentProviderName,
): Promise<Plan[]> {
  const refreshedAt = clock.now();
  const plans = await (await payments.at(provider)).plans();
  await putCatalog(db, { provider, plans, refreshedAt });
  return plans;
}

/**
 * Reads a provider's catalog that had changed at an instant, unless it was read since. Operators change many prices at a
 * time, and each causes an event; events of payments wait behind them.
 */
export async function refreshCatalogChangedAt(
  platform: BillingPlatform,
  provider: PaymentProviderName,
  changedAt: Date,
): Promise<void> {
  const readAt = await findCatalogTime(platform.db, provider);
  if (readAt === undefined || readAt <= changedAt) await refreshCatalog(platform, provider);
}
