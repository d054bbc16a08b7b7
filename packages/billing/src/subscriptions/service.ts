import type { Executor } from "@purser/db";
import type { BillingContext } from "../context.ts";
import { listSubscriptionRows } from "../store.ts";
import { subscriptionAt, currentSubscription } from "./status.ts";

export async function getSubscription(ctx: BillingContext) {
  const rows = await listSubscriptionRows(ctx.db, ctx.membership.organizationId);
  return currentSubscription(rows, ctx.clock.now());
}

/** Whether an organization has a subscription that has not ended: it cannot be deleted before. */
export async function hasOpenSubscription(db: Executor, organizationId: string, now: Date): Promise<boolean> {
  const subscriptions = await subscriptionsOf(db, organizationId, now);
  return subscriptions.some(({ status }) => status !== "CANCELED");
}

/** All subscriptions that an organization ever had, as they are at an instant. */
export async function subscriptionsOf(db: Executor, organizationId: string, now: Date) {
  const rows = await listSubscriptionRows(db, organizationId);
  return rows.map((row) => subscriptionAt(row, now));
}
