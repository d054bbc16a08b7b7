import type { BillingContext } from "../context.ts";
import type { PaymentProviderName } from "../ports.ts";
import { type SubscriptionRow, findPlan, listSubscriptionRows } from "../store.ts";
import { currentSubscription, subscriptionPermissions } from "./rules.ts";

/** Returns the subscription that the organization shows, or null when it never had one. */
export async function getSubscription(ctx: BillingContext) {
  const { role, organizationId } = ctx.membership;
  const rows = await listSubscriptionRows(ctx.db, organizationId);
  const current = currentSubscription(rows, ctx.clock.now());
  if (current === null) return null;
  const { provider } = current;
  const circumstances = {
    isOwner: role === "OWNER",
    capabilities: await capabilitiesOf(ctx, provider),
    isManual: provider === null,
  };
  const plan = await subscribedPlan(ctx, current);
  return { ...current, plan, ...subscriptionPermissions(current, circumstances) };
}

/** Reads the plan from the stored catalogs. A manual subscription may have a plan of any provider. */
async function subscribedPlan(
  { db, payments }: BillingContext,
  { provider, planId, variantId }: Pick<SubscriptionRow, "provider" | "planId" | "variantId">,
) {
  const plan = await findPlan(db, provider === null ? payments.configured : [provider], planId);
  if (plan === undefined) return null;
  const { name, description, variants } = plan;
  return { name, description, variant: variants.find(({ id }) => id === variantId) ?? null };
}

/** Loads the adapter, without a request. */
async function capabilitiesOf({ payments }: BillingContext, name: PaymentProviderName | null) {
  if (name === null || !payments.configured.includes(name)) return null;
  return (await payments.at(name)).capabilities;
}
