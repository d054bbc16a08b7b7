import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import type { BillingContext } from "../context.ts";

/** Like `lockForOwner`, for the organization of the subscription that the request names. */
export async function lockForOwnerOfSubscription(
  ctx: BillingContext,
  transaction: Transaction,
): Promise<void> {
  await lockForOwner(ctx, transaction, ctx.organization.id, "SUBSCRIPTION_NOT_FOUND");
}
