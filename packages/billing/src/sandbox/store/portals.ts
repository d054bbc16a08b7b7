import { type Database, type Executor, deleteInBatches, localPortals as portals } from "@purser/db";
import { and, eq, gt, lt } from "drizzle-orm";

export type PortalRow = typeof portals.$inferSelect;

export async function insertPortal(db: Executor, row: PortalRow): Promise<void> {
  await db.insert(portals).values(row);
}

/** A portal by what its address carries, undefined once its time is over. */
export async function findPortal(db: Executor, tokenHash: string, now: Date): Promise<PortalRow | undefined> {
  const [found] = await db
    .select()
    .from(portals)
    .where(and(eq(portals.tokenHash, tokenHash), gt(portals.expiresAt, now)));
  return found;
}

/** Deletes the portals whose time was over before this instant; gives how many. */
export function purgePortals(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, portals, lt(portals.expiresAt, before));
}
