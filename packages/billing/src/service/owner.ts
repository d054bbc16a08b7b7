import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { userOf } from "@purser/platform";
import type { BillingContext } from "../context.ts";

/** Like `lockForOwner`, for the organization of the subscription that the request names. */
export async function lockForOwnerOfSubscription(
  { organization, caller }: BillingContext,
  transaction: Transaction,
): Promise<void> {
  await lockForOwner(transaction, organization.id, userOf(caller).userId, "SUBSCRIPTION_NOT_FOUND");
}
