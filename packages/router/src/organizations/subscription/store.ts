import { type Executor, subscriptions } from "@purser/db";
import { eq } from "drizzle-orm";

/** All subscriptions that an organization ever had; there are few. */
export function listSubscriptionRows(db: Executor, organizationId: string) {
  return db.select().from(subscriptions).where(eq(subscriptions.organizationId, organizationId));
}
