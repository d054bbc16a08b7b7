import {
  type Executor,
  type Transaction,
  billingCatalogues,
  billingCustomers,
  subscriptions,
} from "@purser/db";
import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { PaymentProviderName, Plan } from "./ports.ts";

export type SubscriptionRow = typeof subscriptions.$inferSelect;

interface SubscriptionKey {
  organizationId: string;
  id: string;
}

/** Lists every subscription that an organization ever had. There are few. */
export function listSubscriptionRows(db: Executor, organizationId: string): Promise<SubscriptionRow[]> {
  return db.select().from(subscriptions).where(eq(subscriptions.organizationId, organizationId));
}

/** Finds a subscription by id alone, before its organization is known. */
export async function findSubscription(db: Executor, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}

/** Finds a subscription by id and locks its row. */
export async function lockSubscription(
  transaction: Transaction,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await transaction.select().from(subscriptions).where(eq(subscriptions.id, id)).for("update");
  return row;
}

/** Inserts or updates a subscription. Returns false when another organization owns the id. */
export async function putSubscription(transaction: Transaction, row: SubscriptionRow): Promise<boolean> {
  const { organizationId, id: _id, ...fields } = row;
  const stored = await transaction
    .insert(subscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: fields,
      setWhere: eq(subscriptions.organizationId, organizationId),
    })
    .returning({ id: subscriptions.id });
  return stored.length > 0;
}

/** Records that the provider was checked, for a subscription that it does not know. */
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
 * Waits for an advisory lock that all processes share, and holds it until the transaction ends. It works before the
 * subscription has a row.
 */
export async function acquireBillingLock(transaction: Transaction, name: string): Promise<void> {
  await transaction.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

interface Staleness {
  providers: readonly PaymentProviderName[];
  now: Date;
  /** A subscription that was checked after this instant is not stale. */
  checkedBefore: Date;
  /** The same for a subscription past its period, which has been renewed or has ended. */
  overdueBefore: Date;
}

/** Lists subscriptions of these providers that were never checked, or not recently enough. */
export async function listStale(
  db: Executor,
  { providers, now, checkedBefore, overdueBefore }: Staleness,
  limit: number,
): Promise<(SubscriptionKey & { provider: PaymentProviderName })[]> {
  const { organizationId, id, provider, status, checkedAt, currentPeriodEnd } = subscriptions;
  const isOld = lte(checkedAt, checkedBefore);
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
    .limit(limit);
  return found.map((row) => ({ ...row, provider: row.provider! }));
}

/** Lists manual subscriptions whose canceled period is over, and whose row is not CANCELED yet. */
export function listEndedManual(db: Executor, now: Date, limit: number): Promise<SubscriptionKey[]> {
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
    .limit(limit);
}

/** Lists the stored catalog of each of these providers. */
export async function listCatalogs(db: Executor, providers: readonly PaymentProviderName[]) {
  const rows = await db
    .select()
    .from(billingCatalogues)
    .where(inArray(billingCatalogues.provider, [...providers]));
  return rows.map(({ plans, ...row }) => ({ ...row, plans: plans as Plan[] }));
}

/** Stores a provider's catalog. An earlier read never replaces a later one. */
export async function putCatalog(
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

/** Finds the provider's customer id of an organization. */
export async function findBillingCustomer(
  db: Executor,
  { organizationId, provider }: CustomerKey,
): Promise<string | undefined> {
  const [row] = await db
    .select({ customerId: billingCustomers.customerId })
    .from(billingCustomers)
    .where(and(eq(billingCustomers.organizationId, organizationId), eq(billingCustomers.provider, provider)));
  return row?.customerId;
}

/** Stores the provider's customer id of an organization. The first one stays. */
export async function insertBillingCustomer(
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
