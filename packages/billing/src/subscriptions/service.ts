import type { BillingContext } from "../context.ts";
import { listSubscriptionRows } from "../store.ts";
import { currentSubscription } from "./rules.ts";

/** Returns the subscription that the organization shows, or null when it never had one. */
export async function getSubscription(ctx: BillingContext) {
  const rows = await listSubscriptionRows(ctx.db, ctx.membership.organizationId);
  return currentSubscription(rows, ctx.clock.now());
}
