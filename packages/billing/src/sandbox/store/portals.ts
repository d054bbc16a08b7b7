import { type Database, type Executor, deleteInBatches, sandboxPortals as portals } from "@purser/db";
import { and, eq, gt, lt } from "drizzle-orm";

export type SandboxPortalRow = typeof portals.$inferSelect;

export async function insertSandboxPortal(db: Executor, row: SandboxPortalRow): Promise<void> {
  await db.insert(portals).values(row);
}

/** A portal by what its address carries, undefined once its time is over. */
export async function findSandboxPortal(
  db: Executor,
  tokenHash: string,
  now: Date,
): Promise<SandboxPortalRow | undefined> {
  const [found] = await db
    .select()
    .from(portals)
    .where(and(eq(portals.tokenHash, tokenHash), gt(portals.expiresAt, now)));
  return found;
}

/** Deletes the portals whose time was over before this instant; gives how many. */
export function purgeSandboxPortals(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, portals, lt(portals.expiresAt, before));
}
