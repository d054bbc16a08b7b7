import type { BillingContext } from "../context.ts";
import { toPlanVariant } from "../plans/service.ts";
import type { PaymentProviderName } from "../ports.ts";
import { findSubscribedPlan } from "../service/catalogs.ts";
import { type SubscriptionRow, listSubscriptionRows } from "../store.ts";
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

async function subscribedPlan(ctx: BillingContext, subscription: SubscriptionRow) {
  const plan = await findSubscribedPlan(ctx, ctx.db, subscription);
  if (plan === undefined) return null;
  const { name, description, variants } = plan;
  const variant = variants.find(({ id }) => id === subscription.variantId);
  return { name, description, variant: variant ? toPlanVariant(variant) : null };
}

/** Loads the adapter, without a request. */
async function capabilitiesOf({ payments }: BillingContext, name: PaymentProviderName | null) {
  if (name === null || !payments.configured.includes(name)) return null;
  return (await payments.at(name)).capabilities;
}
