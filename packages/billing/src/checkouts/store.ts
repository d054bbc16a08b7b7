import { addMs, dayMs, isId } from "@purser/core";
import {
  type Executor,
  type TenantKey,
  type Transaction,
  billingCheckouts,
  findInAnyOrganization,
  hasKey,
  searchAllOrganizations,
} from "@purser/db";
import { and, asc, desc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Checkout, PaymentProviderName } from "../ports.ts";

export type CheckoutRow = typeof billingCheckouts.$inferSelect;

/** Finds a checkout by id alone: the returning browser names no organization. */
export async function findCheckout(db: Executor, id: string): Promise<CheckoutRow | undefined> {
  // An id from outside may contain text that PostgreSQL rejects, such as U+0000.
  if (!isId("chk", id)) return undefined;
  const [row] = await findInAnyOrganization(db, (any) =>
    any.select().from(billingCheckouts).where(eq(billingCheckouts.id, id)),
  );
  return row;
}

/** Finds a checkout by the provider's id of it. */
export async function findCheckoutByReference(
  db: Executor,
  provider: PaymentProviderName,
  reference: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await findInAnyOrganization(db, (any) =>
    any
      .select()
      .from(billingCheckouts)
      .where(and(eq(billingCheckouts.provider, provider), eq(billingCheckouts.reference, reference))),
  );
  return row;
}

/** Finds the one open checkout of an organization. It stays the open one while the caller holds the organization's lock. */
export async function findOpenCheckout(
  db: Executor,
  organizationId: string,
): Promise<CheckoutRow | undefined> {
  const [row] = await db
    .select()
    .from(billingCheckouts)
    .where(and(eq(billingCheckouts.organizationId, organizationId), eq(billingCheckouts.status, "OPEN")));
  return row;
}

/** A page is a request to the provider, so a team that opened many is asked about the latest. */
const payableLimit = 10;

/**
 * Lists the checkouts of an organization whose page may accept a payment, latest first: a closed one's may not be expired yet,
 * or its payment may be in progress for a day more.
 */
export function listPayableCheckouts(
  db: Executor,
  organizationId: string,
  now: Date,
): Promise<CheckoutRow[]> {
  const { status, reference, expiresAt, createdAt } = billingCheckouts;
  return db
    .select()
    .from(billingCheckouts)
    .where(
      and(
        eq(billingCheckouts.organizationId, organizationId),
        isNotNull(reference),
        or(eq(status, "OPEN"), and(ne(status, "COMPLETED"), gt(expiresAt, addMs(now, -dayMs)))),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(payableLimit);
}

export async function insertCheckout(transaction: Transaction, row: CheckoutRow): Promise<void> {
  await transaction.insert(billingCheckouts).values(row);
}

/** Stores the provider's page. Returns false when a page is already stored or the checkout is no longer open. */
export async function setCheckoutPage(db: Executor, key: TenantKey, page: Checkout): Promise<boolean> {
  const updated = await db
    .update(billingCheckouts)
    .set(page)
    .where(
      and(
        hasKey(billingCheckouts, key),
        eq(billingCheckouts.status, "OPEN"),
        isNull(billingCheckouts.reference),
      ),
    )
    .returning({ id: billingCheckouts.id });
  return updated.length > 0;
}

/** Closes an open checkout and returns the closed row; undefined when it was not open. */
export async function closeCheckout(
  db: Executor,
  key: TenantKey,
  status: Exclude<CheckoutRow["status"], "OPEN">,
): Promise<CheckoutRow | undefined> {
  const [closed] = await db
    .update(billingCheckouts)
    .set({ status })
    .where(and(hasKey(billingCheckouts, key), eq(billingCheckouts.status, "OPEN")))
    .returning();
  return closed;
}

/** Marks a checkout as completed, even one that was superseded or expired before. */
export async function completeCheckout(db: Executor, key: TenantKey): Promise<void> {
  await db
    .update(billingCheckouts)
    .set({ status: "COMPLETED" })
    .where(and(hasKey(billingCheckouts, key), ne(billingCheckouts.status, "COMPLETED")));
}

/** Lists open checkouts of a provider that started before an instant: those that were never checked, then the longest ago. */
export function listOpenCheckouts(
  db: Executor,
  { provider, startedBefore }: { provider: PaymentProviderName; startedBefore: Date },
  limit: number,
): Promise<CheckoutRow[]> {
  const { status, createdAt, checkedAt } = billingCheckouts;
  return searchAllOrganizations(db, (all) =>
    all
      .select()
      .from(billingCheckouts)
      .where(and(eq(billingCheckouts.provider, provider), eq(status, "OPEN"), lte(createdAt, startedBefore)))
      .orderBy(sql`${checkedAt} NULLS FIRST`, asc(createdAt))
      .limit(limit),
  );
}

/** Records that a checkout is about to be checked. */
export async function setCheckoutCheckedAt(db: Executor, key: TenantKey, checkedAt: Date): Promise<void> {
  await db.update(billingCheckouts).set({ checkedAt }).where(hasKey(billingCheckouts, key));
}
