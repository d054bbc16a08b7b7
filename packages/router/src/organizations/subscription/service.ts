import type { Executor } from "@purser/db";
import type { MemberContext } from "../../trpc.ts";
import { asOf, present } from "./rules.ts";
import { listSubscriptionRows } from "./store.ts";

export async function getSubscription(ctx: MemberContext) {
  const rows = await listSubscriptionRows(ctx.db, ctx.membership.organizationId);
  return present(rows, ctx.clock.now());
}

/** Whether an organization has a subscription that has not ended: it cannot be deleted before. */
export async function hasOpenSubscription(db: Executor, organizationId: string, now: Date): Promise<boolean> {
  const rows = await listSubscriptionRows(db, organizationId);
  return rows.some((row) => asOf(row, now).status !== "CANCELED");
}
