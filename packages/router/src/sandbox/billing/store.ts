import { type Executor, subscriptions } from "@purser/db";
import { eq } from "drizzle-orm";

/** A subscription by its id alone, before its organization is known. */
export async function findSubscription(db: Executor, id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}
