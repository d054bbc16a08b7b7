import type { Executor } from "@purser/db";
import type { BillingContext } from "../context.ts";
import { listSubscriptionRows } from "../store.ts";
import { currentSubscription, subscriptionAt } from "./rules.ts";

/** Returns the subscription that the organization shows, or null when it never had one. */
export async function getSubscription(ctx: BillingContext) {
  const rows = await listSubscriptionRows(ctx.db, ctx.membership.organizationId);
  return currentSubscription(rows, ctx.clock.now());
}

/** Whether an organization has a subscription that has not ended. Such an organization cannot be deleted. */
export async function hasOpenSubscription(db: Executor, organizationId: string, now: Date): Promise<boolean> {
  const subscriptions = await listSubscriptionsAt(db, organizationId, now);
  return subscriptions.some(({ status }) => status !== "CANCELED");
}

/** Lists every subscription that an organization ever had, as of an instant. */
export async function listSubscriptionsAt(db: Executor, organizationId: string, now: Date) {
  const rows = await listSubscriptionRows(db, organizationId);
  return rows.map((row) => subscriptionAt(row, now));
}
