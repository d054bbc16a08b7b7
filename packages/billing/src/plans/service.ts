import { Problem, errorText } from "@purser/core";
import type { z } from "zod";
import type { BillingPlatform } from "../context.ts";
import type { BaseContext } from "@purser/platform";
import { requireItem, toPage } from "@purser/platform";
import type { Plan, PaymentProviderName } from "../ports.ts";
import { listCatalogues, putCatalogue } from "../store.ts";
import type { ListPlans } from "./contract.ts";

/** What is on sale, provider after provider in the order in which they are configured. */
export async function listPlans(
  ctx: BaseContext & BillingPlatform,
  input: z.output<typeof ListPlans>,
): Promise<Plan[]> {
  const all = (await catalogues(ctx)).flatMap(({ plans }) => plans);
  const position = (id: string) => all.findIndex((plan) => plan.id === id);
  await requireItem(input.after, async (id) => (position(id) < 0 ? undefined : id));
  const start = input.after === undefined ? 0 : position(input.after) + 1;
  return toPage(ctx, input.limit, all.slice(start, start + input.limit + 1));
}

/** A plan with the way to pay for it, at the provider that sells it. */
export interface Offer {
  provider: PaymentProviderName;
  planId: string;
  variantId: string;
}

/** Finds what somebody wants to buy. Throws PLAN_NOT_FOUND. */
export async function findOffer(
  platform: BillingPlatform,
  { planId, variantId }: Omit<Offer, "provider">,
): Promise<Offer> {
  const all = await catalogues(platform);
  for (const { provider, plans } of all) {
    const plan = plans.find(({ id }) => id === planId);
    if (plan?.variants.some(({ id }) => id === variantId)) return { provider, planId, variantId };
  }
  // It may be on sale where nobody answers.
  const silent = all.find(({ failure }) => failure !== undefined);
  throw silent ? new Problem("PROVIDER_ERROR", { cause: silent.failure }) : new Problem("PLAN_NOT_FOUND");
}

interface Catalogue {
  provider: PaymentProviderName;
  plans: Plan[];
  /** Why there are none, where the provider could never be read. */
  failure?: unknown;
}

/** The catalogue of each provider, as it was last read; one that never was is read now. */
async function catalogues(platform: BillingPlatform): Promise<Catalogue[]> {
  const { configured } = platform.payments;
  const kept = await listCatalogues(platform.db, configured);
  return Promise.all(
    configured.map(async (provider) => {
      const known = kept.find((one) => one.provider === provider);
      if (known !== undefined) return known;
      try {
        return { provider, plans: await readFirst(platform, provider) };
      } catch (failure) {
        // A provider that does not answer keeps nobody from the plans of the others.
        platform.logger.warn({ provider, reason: errorText(failure) }, "No plans could be read");
        return { provider, plans: [], failure };
      }
    }),
  );
}

/** The first readings that are under way here. */
const underWay = new WeakMap<BillingPlatform["payments"], Map<PaymentProviderName, Promise<Plan[]>>>();

/** Reads a catalogue for the first time. The list is public: a crowd is to wait for one reading, not to make many. */
async function readFirst(platform: BillingPlatform, provider: PaymentProviderName): Promise<Plan[]> {
  const readings = underWay.get(platform.payments) ?? new Map<PaymentProviderName, Promise<Plan[]>>();
  underWay.set(platform.payments, readings);
  const reading = readings.get(provider) ?? refreshCatalog(platform, provider);
  readings.set(provider, reading);
  try {
    return await reading;
  } finally {
    readings.delete(provider);
  }
}

/** Reads what a provider has on sale, and keeps it. */
export async function refreshCatalog(
  { db, clock, payments }: BillingPlatform,
  provider: PaymentProviderName,
): Promise<Plan[]> {
  const refreshedAt = clock.now();
  const plans = await (await payments.at(provider)).plans();
  await putCatalogue(db, { provider, plans, refreshedAt });
  return plans;
}
