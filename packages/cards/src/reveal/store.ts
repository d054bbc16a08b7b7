import { type Database, type Executor, type Transaction, cardReveals, deleteInBatches } from "@purser/db";
import { and, eq, gt, isNull, lt } from "drizzle-orm";

/** Names the row of a link. */
export interface RevealKey {
  organizationId: string;
  hash: string;
}

export type RevealRow = typeof cardReveals.$inferSelect;

const theReveal = ({ organizationId, hash }: RevealKey) =>
  and(eq(cardReveals.organizationId, organizationId), eq(cardReveals.hash, hash));

export async function insertReveal(transaction: Transaction, row: RevealRow): Promise<void> {
  await transaction.insert(cardReveals).values(row);
}

export async function findReveal(db: Executor, key: RevealKey): Promise<RevealRow | undefined> {
  const [row] = await db.select().from(cardReveals).where(theReveal(key));
  return row;
}

/** Uses up a link that has not ended. Of concurrent calls, one gets the row. */
export async function takeReveal(
  transaction: Transaction,
  key: RevealKey,
  now: Date,
): Promise<RevealRow | undefined> {
  const [row] = await transaction
    .update(cardReveals)
    .set({ openedAt: now })
    .where(and(theReveal(key), isNull(cardReveals.openedAt), gt(cardReveals.expiresAt, now)))
    .returning();
  return row;
}

export function purgeReveals(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, cardReveals, lt(cardReveals.expiresAt, before));
}
