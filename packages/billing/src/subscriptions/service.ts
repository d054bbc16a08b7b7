import type { BillingContext } from "../context.ts";
import { toPlanVariant } from "../plans/service.ts";
import type { PaymentProviderName } from "../ports.ts";
import { findSubscribedPlan } from "../service/catalogs.ts";
import { type SubscriptionRow, listSubscriptionRows } from "../store.ts";
import { hasBegun, shownSubscriptions, subscriptionPermissions } from "./rules.ts";

/** Returns the subscription that the organization shows, or null when it never had one. */
export async function getSubscription(ctx: BillingContext) {
  const rows = await listSubscriptionRows(ctx.db, ctx.membership.organizationId);
  const shown = shownSubscriptions(rows, ctx.clock.now());
  const [current, ...others] = await Promise.all(shown.map((row) => describeSubscription(ctx, row)));
  return current === undefined ? null : { ...current, isTrialEligible: !rows.some(hasBegun), others };
}

async function describeSubscription(ctx: BillingContext, row: SubscriptionRow) {
  const { provider } = row;
  const circumstances = {
    isOwner: ctx.membership.role === "OWNER",
    capabilities: await capabilitiesOf(ctx, provider),
    isManual: provider === null,
  };
  const plan = await subscribedPlan(ctx, row);
  return { ...row, plan, ...subscriptionPermissions(row, circumstances) };
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
