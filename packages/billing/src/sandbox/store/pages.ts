import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  deleteInBatches,
  findInAnyOrganization,
  hasKey,
  sandboxCheckouts as checkouts,
  sandboxPortals as portals,
} from "@purser/db";
import { and, eq, gt, isNull, lt } from "drizzle-orm";

export type SandboxCheckoutRow = typeof checkouts.$inferSelect;

/** The form of a reference. Anything else is not looked up. */
const referenceForm = /^cs_local_[0-9a-f]{48}$/;

/** Inserts a checkout unless its id exists, and returns the stored one. */
export async function insertSandboxCheckout(
  db: Executor,
  row: SandboxCheckoutRow,
): Promise<SandboxCheckoutRow> {
  await db.insert(checkouts).values(row).onConflictDoNothing();
  const [stored] = await db.select().from(checkouts).where(hasKey(checkouts, row));
  return stored!;
}

/** Finds a checkout by the reference in the page's URL. */
export async function findSandboxCheckout(
  db: Executor,
  reference: string,
): Promise<SandboxCheckoutRow | undefined> {
  if (!referenceForm.test(reference)) return undefined;
  const [found] = await findInAnyOrganization(db, (any) =>
    any.select().from(checkouts).where(eq(checkouts.reference, reference)),
  );
  return found;
}

/** Locks a checkout, so that only one request completes it. */
export async function lockSandboxCheckout(
  transaction: Transaction,
  key: TenantKey,
): Promise<SandboxCheckoutRow | undefined> {
  const [row] = await transaction.select().from(checkouts).where(hasKey(checkouts, key)).for("no key update");
  return row;
}

export async function completeSandboxCheckout(
  transaction: Transaction,
  key: TenantKey,
  subscriptionId: string,
): Promise<void> {
  await transaction.update(checkouts).set({ subscriptionId }).where(hasKey(checkouts, key));
}

/** Expires a checkout at an instant, unless it expired before or produced a subscription. */
export async function expireSandboxCheckoutRow(db: Executor, key: TenantKey, at: Date): Promise<void> {
  await db
    .update(checkouts)
    .set({ expiresAt: at })
    .where(and(hasKey(checkouts, key), isNull(checkouts.subscriptionId), gt(checkouts.expiresAt, at)));
}

/** Deletes checkouts that expired before this instant without a subscription. Returns their number. */
export function purgeSandboxCheckouts(db: Database, before: Date): Promise<number> {
  return deleteInBatches(
    db,
    checkouts,
    and(isNull(checkouts.subscriptionId), lt(checkouts.expiresAt, before)),
  );
}

export type SandboxPortalRow = typeof portals.$inferSelect;

export async function insertSandboxPortal(db: Executor, row: SandboxPortalRow): Promise<void> {
  await db.insert(portals).values(row);
}

/** Finds a portal session by the hash of its token; undefined once it has expired. */
export async function findSandboxPortal(
  db: Executor,
  tokenHash: string,
  now: Date,
): Promise<SandboxPortalRow | undefined> {
  const [found] = await findInAnyOrganization(db, (any) =>
    any
      .select()
      .from(portals)
      .where(and(eq(portals.tokenHash, tokenHash), gt(portals.expiresAt, now))),
  );
  return found;
}

/** Deletes portal sessions that expired before this instant. Returns their number. */
export function purgeSandboxPortals(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, portals, lt(portals.expiresAt, before));
}
