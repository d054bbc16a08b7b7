import { isId } from "@purser/core";
import { type Executor, type Transaction, billingCheckouts } from "@purser/db";
import { and, asc, eq, isNull, lte, ne } from "drizzle-orm";
import type { Checkout, PaymentProviderName } from "../ports.ts";

export type CheckoutRow = typeof billingCheckouts.$inferSelect;

type CheckoutKey = Pick<CheckoutRow, "organizationId" | "id">;

const theCheckout = ({ organizationId, id }: CheckoutKey) =>
  and(eq(billingCheckouts.organizationId, organizationId), eq(billingCheckouts.id, id));

/** A checkout by its id alone: the person who comes back from it says nothing else. */
export async function findCheckout(db: Executor, id: string): Promise<CheckoutRow | undefined> {
  // Whoever makes ids up may make up what no database takes.
  if (!isId("chk", id)) return undefined;
  const [row] = await db.select().from(billingCheckouts).where(eq(billingCheckouts.id, id));
  return row;
}

/** A checkout by its provider's id of it. */
export async function findCheckoutByReference(
  db: Executor,
  provider: PaymentProviderName,
  reference: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await db
    .select()
    .from(billingCheckouts)
    .where(and(eq(billingCheckouts.provider, provider), eq(billingCheckouts.reference, reference)));
  return row;
}

/** The one checkout of a team that is open. The team is locked by whoever asks. */
export async function findOpenCheckout(
  transaction: Transaction,
  organizationId: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await transaction
    .select()
    .from(billingCheckouts)
    .where(and(eq(billingCheckouts.organizationId, organizationId), eq(billingCheckouts.status, "OPEN")));
  return row;
}

export async function insertCheckout(transaction: Transaction, row: CheckoutRow): Promise<void> {
  await transaction.insert(billingCheckouts).values(row);
}

/** Keeps the provider's answer; false where another one came first, or the checkout is not open any more. */
export async function answerCheckout(db: Executor, key: CheckoutKey, answer: Checkout): Promise<boolean> {
  const answered = await db
    .update(billingCheckouts)
    .set(answer)
    .where(and(theCheckout(key), eq(billingCheckouts.status, "OPEN"), isNull(billingCheckouts.reference)))
    .returning({ id: billingCheckouts.id });
  return answered.length > 0;
}

/** Ends an open checkout, and gives it as it was at that moment; undefined where it was not open any more. */
export async function closeCheckout(
  db: Executor,
  key: CheckoutKey,
  status: Exclude<CheckoutRow["status"], "OPEN">,
): Promise<CheckoutRow | undefined> {
  const [closed] = await db
    .update(billingCheckouts)
    .set({ status })
    .where(and(theCheckout(key), eq(billingCheckouts.status, "OPEN")))
    .returning();
  return closed;
}

/** Puts on record that a checkout has brought its subscription, also where it had ended for us before. */
export async function completeCheckout(db: Executor, key: CheckoutKey): Promise<void> {
  await db
    .update(billingCheckouts)
    .set({ status: "COMPLETED" })
    .where(and(theCheckout(key), ne(billingCheckouts.status, "COMPLETED")));
}

/** Open checkouts that were begun before an instant, the oldest first. */
export function listOpenCheckouts(db: Executor, begunBefore: Date, rows: number): Promise<CheckoutRow[]> {
  return db
    .select()
    .from(billingCheckouts)
    .where(and(eq(billingCheckouts.status, "OPEN"), lte(billingCheckouts.createdAt, begunBefore)))
    .orderBy(asc(billingCheckouts.createdAt))
    .limit(rows);
}
