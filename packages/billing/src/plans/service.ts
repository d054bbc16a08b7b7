import { Problem, errorText } from "@purser/core";
import { type BaseContext, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { BillingPlatform } from "../context.ts";
import type { PaymentProviderName, Plan } from "../ports.ts";
import { listCatalogs, putCatalog } from "../store.ts";
import type { ListPlans } from "./contract.ts";

/** Lists the plans on sale, by provider in the order of configuration. */
export async function listPlans(
  ctx: BaseContext & BillingPlatform,
  input: z.output<typeof ListPlans>,
): Promise<Plan[]> {
  const all = (await readCatalogs(ctx)).flatMap(({ plans }) => plans);
  const position = (id: string) => all.findIndex((plan) => plan.id === id);
  await requireItem(input.after, async (id) => (position(id) < 0 ? undefined : id));
  const start = input.after === undefined ? 0 : position(input.after) + 1;
  return toPage(ctx, input.limit, all.slice(start, start + input.limit + 1));
}

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
  throw unread ? new Problem("PROVIDER_ERROR", { cause: unread.failure }) : new Problem("PLAN_NOT_FOUND");
}

interface Catalog {
  provider: PaymentProviderName;
  plans: Plan[];
  /** Why there are no plans, if the provider's catalog was never read. */
  failure?: unknown;
}

/** Returns the stored catalog of each provider. A catalog that was never read is read now. */
async function readCatalogs(platform: BillingPlatform): Promise<Catalog[]> {
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
