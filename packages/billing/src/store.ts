import {
  type Executor,
  type Transaction,
  billingCatalogues,
  billingCustomers,
  subscriptions,
} from "@purser/db";
import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Plan, PaymentProviderName } from "./ports.ts";

export type SubscriptionRow = typeof subscriptions.$inferSelect;

interface SubscriptionKey {
  organizationId: string;
  id: string;
}

/** Every subscription that an organization ever had; there are few. */
export function listSubscriptionRows(db: Executor, organizationId: string): Promise<SubscriptionRow[]> {
  return db.select().from(subscriptions).where(eq(subscriptions.organizationId, organizationId));
}

/** A subscription by its id alone, before its organization is known. */
export async function findSubscription(db: Executor, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}

/** The same, locked for a change. */
export async function lockSubscription(
  transaction: Transaction,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await transaction.select().from(subscriptions).where(eq(subscriptions.id, id)).for("update");
  return row;
}

/** Stores a subscription, new or known; false where another organization has its id. */
export async function putSubscription(transaction: Transaction, row: SubscriptionRow): Promise<boolean> {
  const { organizationId, id: _id, ...facts } = row;
  const stored = await transaction
    .insert(subscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: facts,
      setWhere: eq(subscriptions.organizationId, organizationId),
    })
    .returning({ id: subscriptions.id });
  return stored.length > 0;
}

/** Keeps when a provider was last asked for a subscription, where it had nothing to say. */
export async function setCheckedAt(
  transaction: Transaction,
  { id, provider, checkedAt }: { id: string; provider: PaymentProviderName; checkedAt: Date },
): Promise<void> {
  await transaction
    .update(subscriptions)
    .set({ checkedAt })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.provider, provider)));
}

/**
 * Waits until nobody else has the subscription in hand, in any process, and keeps it until the transaction ends.
 * There need not be a row of it yet.
 */
export async function acquireSubscriptionLock(transaction: Transaction, name: string): Promise<void> {
  await transaction.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

interface Doubt {
  providers: readonly PaymentProviderName[];
  now: Date;
  /** Whoever was asked for since then is believed. */
  askedBefore: Date;
  /** The same for what is past its period, and was renewed or has ended. */
  overdueBefore: Date;
}

/** Subscriptions of these providers that may have changed without a word, or whose provider was never asked. */
export async function listStale(
  db: Executor,
  { providers, now, askedBefore, overdueBefore }: Doubt,
  rows: number,
): Promise<(SubscriptionKey & { provider: PaymentProviderName })[]> {
  const { organizationId, id, provider, status, checkedAt, currentPeriodEnd } = subscriptions;
  const isOld = lte(checkedAt, askedBefore);
  const isOverdue = and(lte(currentPeriodEnd, now), lte(checkedAt, overdueBefore));
  const found = await db
    .select({ organizationId, id, provider })
    .from(subscriptions)
    .where(
      and(
        inArray(provider, [...providers]),
        or(isNull(checkedAt), and(ne(status, "CANCELED"), or(isOld, isOverdue))),
      ),
    )
    .orderBy(asc(currentPeriodEnd))
    .limit(rows);
  return found.map((row) => ({ ...row, provider: row.provider! }));
}

/** Manual subscriptions whose cancelled period is over, and that are not marked so yet. */
export function listEndedManual(db: Executor, now: Date, rows: number): Promise<SubscriptionKey[]> {
  return db
    .select({ organizationId: subscriptions.organizationId, id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.provider),
        ne(subscriptions.status, "CANCELED"),
        subscriptions.cancelAtPeriodEnd,
        lte(subscriptions.currentPeriodEnd, now),
      ),
    )
    .limit(rows);
}

/** What each of these providers has on sale, as it was last read. */
export async function listCatalogues(db: Executor, providers: readonly PaymentProviderName[]) {
  const rows = await db
    .select()
    .from(billingCatalogues)
    .where(inArray(billingCatalogues.provider, [...providers]));
  return rows.map(({ plans, ...row }) => ({ ...row, plans: plans as Plan[] }));
}

/** Keeps what a provider has on sale; what was read earlier does not replace what was read later. */
export async function putCatalogue(
  db: Executor,
  { provider, plans, refreshedAt }: { provider: PaymentProviderName; plans: Plan[]; refreshedAt: Date },
): Promise<void> {
  await db
    .insert(billingCatalogues)
    .values({ provider, plans, refreshedAt })
    .onConflictDoUpdate({
      target: billingCatalogues.provider,
      set: { plans, refreshedAt },
      setWhere: lte(billingCatalogues.refreshedAt, refreshedAt),
    });
}

interface CustomerKey {
  organizationId: string;
  provider: PaymentProviderName;
}

export async function findCustomer(
  db: Executor,
  { organizationId, provider }: CustomerKey,
): Promise<string | undefined> {
  const [row] = await db
    .select({ customerId: billingCustomers.customerId })
    .from(billingCustomers)
    .where(and(eq(billingCustomers.organizationId, organizationId), eq(billingCustomers.provider, provider)));
  return row?.customerId;
}

/** Keeps under which id a provider knows a team; the first one stays. */
export async function insertCustomer(
  db: Executor,
  customer: CustomerKey & { customerId: string; createdAt: Date },
): Promise<void> {
  await db.insert(billingCustomers).values(customer).onConflictDoNothing();
}

/** Counts all subscriptions by provider and status. */
export function countSubscriptions(
  db: Executor,
): Promise<{ provider: string; status: string; value: number }[]> {
  return db.execute(sql`
    SELECT coalesce(provider, 'manual') AS provider, lower(status) AS status, count(*)::int AS value
    FROM ${subscriptions} GROUP BY 1, 2`);
}
