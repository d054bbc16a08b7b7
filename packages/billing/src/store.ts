import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  billingCatalogs,
  billingCustomers,
  constraintName,
  deleteInBatches,
  findInAnyOrganization,
  hasKey,
  searchAllOrganizations,
  subscriptions,
  unattributedSubscriptions,
} from "@purser/db";
import { and, asc, eq, inArray, isNull, lt, lte, ne, not, or, sql } from "drizzle-orm";
import type { PaymentProviderName, Plan, SubscriptionPointer } from "./ports.ts";

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Lists every subscription that an organization ever had. There are few. */
export function listSubscriptionRows(db: Executor, organizationId: string): Promise<SubscriptionRow[]> {
  return db.select().from(subscriptions).where(eq(subscriptions.organizationId, organizationId));
}

/** Finds a subscription by id alone, before its organization is known. */
export async function findSubscription(db: Executor, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await findInAnyOrganization(db, (any) =>
    any.select().from(subscriptions).where(eq(subscriptions.id, id)),
  );
  return row;
}

/**
 * Keeps others from entering a subscription of this id, for another organization too. A distributed database has no key
 * that is unique across organizations.
 */
export async function lockSubscriptionId(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`subscription ${id}`}, 0))`);
}

/** Finds a subscription and locks its row. */
export async function findSubscriptionForUpdate(
  transaction: Transaction,
  key: TenantKey,
): Promise<SubscriptionRow | undefined> {
  const [row] = await transaction
    .select()
    .from(subscriptions)
    .where(hasKey(subscriptions, key))
    .for("update");
  return row;
}

/**
 * Inserts or updates a subscription. Returns false if another organization has stored the id since the caller looked for
 * it. Nothing else can be done in the transaction then.
 */
export async function putSubscription(transaction: Transaction, row: SubscriptionRow): Promise<boolean> {
  const { organizationId: _organization, id: _id, ...fields } = row;
  try {
    await transaction
      .insert(subscriptions)
      .values(row)
      .onConflictDoUpdate({ target: [subscriptions.organizationId, subscriptions.id], set: fields });
    return true;
  } catch (error) {
    if (constraintName(error) === "subscriptions_id_key") return false;
    throw error;
  }
}

/**
 * Records that subscriptions were checked, or are about to be. If all of their organizations are known, a distributed database
 * asks only the servers of these.
 */
export async function setCheckedAt(
  transaction: Transaction,
  {
    provider,
    pointers,
    checkedAt,
  }: { provider: PaymentProviderName; pointers: readonly SubscriptionPointer[]; checkedAt: Date },
): Promise<void> {
  const ids = pointers.map(({ subscriptionId }) => subscriptionId);
  const organizationIds = pointers.flatMap(({ organizationId }) => organizationId ?? []);
  const within =
    organizationIds.length === ids.length
      ? inArray(subscriptions.organizationId, organizationIds)
      : undefined;
  await transaction
    .update(subscriptions)
    .set({ checkedAt })
    .where(and(within, inArray(subscriptions.id, ids), eq(subscriptions.provider, provider)));
  const { id, provider: at } = unattributedSubscriptions;
  await transaction
    .update(unattributedSubscriptions)
    .set({ checkedAt })
    .where(and(eq(at, provider), inArray(id, ids)));
}

interface Staleness {
  provider: PaymentProviderName;
  now: Date;
  /** A subscription that was checked after this instant is not stale. */
  checkedBefore: Date;
  /** The same for a subscription past its period, which has been renewed or has ended. */
  overdueBefore: Date;
}

/** Lists subscriptions of a provider that were never checked, or not recently enough: the longest ago first. */
export function listStaleSubscriptions(
  db: Executor,
  { provider, now, checkedBefore, overdueBefore }: Staleness,
  limit: number,
): Promise<TenantKey[]> {
  const { organizationId, id, status, checkedAt, currentPeriodEnd } = subscriptions;
  const isOld = lte(checkedAt, checkedBefore);
  const isOverdue = and(lte(currentPeriodEnd, now), lte(checkedAt, overdueBefore));
  return searchAllOrganizations(db, (all) =>
    all
      .select({ organizationId, id })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.provider, provider),
          or(isNull(checkedAt), and(ne(status, "CANCELED"), or(isOld, isOverdue))),
        ),
      )
      // What stays overdue is stale again and again, and must not hold up the others.
      .orderBy(sql`${checkedAt} NULLS FIRST`, asc(currentPeriodEnd))
      .limit(limit),
  );
}

/** Lists paid subscriptions of a provider that belong to no organization, and were not checked since an instant. */
export async function listStaleUnattributed(
  db: Executor,
  { provider, checkedBefore }: Pick<Staleness, "provider" | "checkedBefore">,
  limit: number,
): Promise<string[]> {
  const { id, isPaid, checkedAt, provider: at } = unattributedSubscriptions;
  const found = await db
    .select({ id })
    .from(unattributedSubscriptions)
    .where(and(eq(at, provider), isPaid, lte(checkedAt, checkedBefore)))
    .orderBy(asc(checkedAt))
    .limit(limit);
  return found.map((row) => row.id);
}

type UnattributedRow = typeof unattributedSubscriptions.$inferSelect;

/** Inserts or updates a subscription that belongs to no organization. Returns whether it was already known as paid. */
export async function putUnattributed(transaction: Transaction, row: UnattributedRow): Promise<boolean> {
  const { provider, id, firstSeenAt: _first, ...fields } = row;
  const its = and(eq(unattributedSubscriptions.provider, provider), eq(unattributedSubscriptions.id, id));
  const [before] = await transaction.select().from(unattributedSubscriptions).where(its);
  await transaction
    .insert(unattributedSubscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: [unattributedSubscriptions.provider, unattributedSubscriptions.id],
      set: fields,
    });
  return before?.isPaid === true;
}

/** Forgets a subscription that belongs to an organization now, or that the provider does not know. */
export async function deleteUnattributed(
  transaction: Transaction,
  { provider, id }: Pick<UnattributedRow, "provider" | "id">,
): Promise<void> {
  await transaction
    .delete(unattributedSubscriptions)
    .where(and(eq(unattributedSubscriptions.provider, provider), eq(unattributedSubscriptions.id, id)));
}

/** Deletes unpaid subscriptions of no organization that were not checked since an instant. Returns their number. */
export function purgeUnattributed(db: Database, checkedBefore: Date): Promise<number> {
  const { isPaid, checkedAt } = unattributedSubscriptions;
  return deleteInBatches(db, unattributedSubscriptions, and(not(isPaid), lt(checkedAt, checkedBefore)));
}

/** Returns those of these ids that are stored, with an organization or without. */
export async function filterStored(
  db: Executor,
  provider: PaymentProviderName,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const owned = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(inArray(subscriptions.id, [...ids]));
  const { id, provider: at } = unattributedSubscriptions;
  const others = await db
    .select({ id })
    .from(unattributedSubscriptions)
    .where(and(eq(at, provider), inArray(id, [...ids])));
  return new Set([...owned, ...others].map((row) => row.id));
}

/** Lists manual subscriptions whose canceled period is over, and whose row is not CANCELED yet. */
export function listEndedManual(db: Executor, now: Date, limit: number): Promise<TenantKey[]> {
  return searchAllOrganizations(db, (all) =>
    all
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
      .limit(limit),
  );
}

/** Lists the stored catalog of each of these providers. */
export async function listCatalogs(db: Executor, providers: readonly PaymentProviderName[]) {
  const rows = await db
    .select()
    .from(billingCatalogs)
    .where(inArray(billingCatalogs.provider, [...providers]));
  return rows.map(({ plans, ...row }) => ({ ...row, plans: plans as Plan[] }));
}

/** Finds when the reading of a provider's stored catalog began. */
export async function findCatalogTime(
  db: Executor,
  provider: PaymentProviderName,
): Promise<Date | undefined> {
  const [row] = await db
    .select({ refreshedAt: billingCatalogs.refreshedAt })
    .from(billingCatalogs)
    .where(eq(billingCatalogs.provider, provider));
  return row?.refreshedAt;
}

/** Finds a plan in the stored catalogs of these providers. A catalog may have thousands, so the database picks it. */
export async function findPlan(
  db: Executor,
  providers: readonly PaymentProviderName[],
  planId: string,
): Promise<Plan | undefined> {
  const id = sql`jsonb_build_object('id', ${planId}::text)`;
  const plan = sql<Plan | null>`jsonb_path_query_first(${billingCatalogs.plans}, '$[*] ? (@.id == $id)', ${id})`;
  const rows = await db
    .select({ plan })
    .from(billingCatalogs)
    .where(inArray(billingCatalogs.provider, [...providers]));
  return rows.flatMap((row) => row.plan ?? [])[0];
}

/** Stores a provider's catalog. An earlier read never replaces a later one. */
export async function putCatalog(
  db: Executor,
  { provider, plans, refreshedAt }: { provider: PaymentProviderName; plans: Plan[]; refreshedAt: Date },
): Promise<void> {
  await db
    .insert(billingCatalogs)
    .values({ provider, plans, refreshedAt })
    .onConflictDoUpdate({
      target: billingCatalogs.provider,
      set: { plans, refreshedAt },
      setWhere: lte(billingCatalogs.refreshedAt, refreshedAt),
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

/** Lists the customers of an organization, at most one per provider. */
export function listBillingCustomers(db: Executor, organizationId: string) {
  return db
    .select({ provider: billingCustomers.provider, customerId: billingCustomers.customerId })
    .from(billingCustomers)
    .where(eq(billingCustomers.organizationId, organizationId));
}

/** Stores the provider's customer id of an organization, if none is stored. */
export async function insertBillingCustomer(
  db: Executor,
  customer: CustomerKey & { customerId: string; createdAt: Date },
): Promise<void> {
  await db.insert(billingCustomers).values(customer).onConflictDoNothing();
}

/** Replaces the provider's customer id of an organization, if one is stored. */
export async function setBillingCustomer(
  transaction: Transaction,
  { organizationId, provider }: CustomerKey,
  customerId: string,
): Promise<void> {
  await transaction
    .update(billingCustomers)
    .set({ customerId })
    .where(and(eq(billingCustomers.organizationId, organizationId), eq(billingCustomers.provider, provider)));
}

/** Counts all subscriptions by provider and status. */
export function countSubscriptions(
  db: Executor,
): Promise<{ provider: string; status: string; value: number }[]> {
  return db.execute(sql`
    SELECT coalesce(provider, 'manual') AS provider, lower(status) AS status, count(*)::int AS value
    FROM ${subscriptions} GROUP BY 1, 2`);
}
