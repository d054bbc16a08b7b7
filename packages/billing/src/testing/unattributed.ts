import { type Database, unattributedSubscriptions } from "@purser/db";
import { asc, eq } from "drizzle-orm";

/** Returns the ids of the paid subscriptions that belong to no organization, oldest first. */
export async function unattributedIds(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: unattributedSubscriptions.id })
    .from(unattributedSubscriptions)
    .where(eq(unattributedSubscriptions.isPaid, true))
    .orderBy(asc(unattributedSubscriptions.firstSeenAt));
  return rows.map(({ id }) => id);
}
