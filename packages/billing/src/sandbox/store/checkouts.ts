import {
  type Database,
  type Executor,
  type Transaction,
  deleteInBatches,
  sandboxCheckouts as checkouts,
} from "@purser/db";
import { and, eq, gt, isNull, lt } from "drizzle-orm";

export type SandboxCheckoutRow = typeof checkouts.$inferSelect;

type CheckoutKey = Pick<SandboxCheckoutRow, "organizationId" | "id">;

const theCheckout = ({ organizationId, id }: CheckoutKey) =>
  and(eq(checkouts.organizationId, organizationId), eq(checkouts.id, id));

/** What a reference looks like; nothing else is looked for. */
const referenceForm = /^cs_local_[0-9a-f]{48}$/;

/** Stores a checkout, unless there is one of this id, and gives the one that is there. */
export async function insertSandboxCheckout(
  db: Executor,
  row: SandboxCheckoutRow,
): Promise<SandboxCheckoutRow> {
  await db.insert(checkouts).values(row).onConflictDoNothing();
  const [kept] = await db.select().from(checkouts).where(theCheckout(row));
  return kept!;
}

/** A checkout by its reference alone: the person at the page has nothing else. */
export async function findSandboxCheckout(
  db: Executor,
  reference: string,
): Promise<SandboxCheckoutRow | undefined> {
  if (!referenceForm.test(reference)) return undefined;
  const [found] = await db.select().from(checkouts).where(eq(checkouts.reference, reference));
  return found;
}

/** Locks a checkout, so that nobody else completes it meanwhile. */
export async function lockSandboxCheckout(
  transaction: Transaction,
  key: CheckoutKey,
): Promise<SandboxCheckoutRow | undefined> {
  const [row] = await transaction.select().from(checkouts).where(theCheckout(key)).for("no key update");
  return row;
}

export async function completeSandboxCheckout(
  transaction: Transaction,
  key: CheckoutKey,
  subscriptionId: string,
): Promise<void> {
  await transaction.update(checkouts).set({ subscriptionId }).where(theCheckout(key));
}

/** Ends a checkout at an instant, unless it has ended before or brought a subscription. */
export async function endSandboxCheckout(db: Executor, key: CheckoutKey, at: Date): Promise<void> {
  await db
    .update(checkouts)
    .set({ expiresAt: at })
    .where(and(theCheckout(key), isNull(checkouts.subscriptionId), gt(checkouts.expiresAt, at)));
}

/** Deletes the checkouts that ended before this instant without a subscription; gives how many. */
export function purgeSandboxCheckouts(db: Database, before: Date): Promise<number> {
  return deleteInBatches(
    db,
    checkouts,
    and(isNull(checkouts.subscriptionId), lt(checkouts.expiresAt, before)),
  );
}
