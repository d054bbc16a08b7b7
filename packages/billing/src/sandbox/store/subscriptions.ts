import { firstIdAt, isId } from "@purser/core";
import {
  type Executor,
  type TenantKey,
  type Transaction,
  findInAnyOrganization,
  hasKey,
  refersTo,
  sandboxInvoices as invoices,
  sandboxSubscriptions as subscriptions,
  searchAllOrganizations,
} from "@purser/db";
import { and, asc, desc, eq, getTableColumns, gte, lte, sql } from "drizzle-orm";
import type { SandboxSubscription } from "../mapping.ts";
import type { SandboxInvoice } from "../rules/lifecycle.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;

const {
  organizationId: _organization,
  subscriptionId: _subscription,
  ...invoiceColumns
} = getTableColumns(invoices);

/** Finds a subscription by id alone, with its latest invoice. */
export async function findSandboxSubscription(
  db: Executor,
  id: string,
): Promise<SandboxSubscription | undefined> {
  if (!isId("sub", id)) return undefined;
  const [found] = await findInAnyOrganization(db, (any) =>
    any
      .select({ row: subscriptions, invoice: invoiceColumns })
      .from(subscriptions)
      .leftJoin(invoices, refersTo(invoices, "subscriptionId", subscriptions))
      .where(eq(subscriptions.id, id))
      .orderBy(desc(invoices.number))
      .limit(1),
  );
  return found && fromRow(found.row, found.invoice);
}

/** Locks an existing subscription and returns its current state. */
export async function lockSandboxSubscription(
  transaction: Transaction,
  subscription: TenantKey,
): Promise<SandboxSubscription> {
  await transaction
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(hasKey(subscriptions, subscription))
    .for("no key update");
  // A second statement: one that waits for a row lock reads invoices from before the wait.
  return (await findSandboxSubscription(transaction, subscription.id))!;
}

export async function insertSandboxSubscription(
  transaction: Transaction,
  subscription: SandboxSubscription,
  dueAt: Date | null,
): Promise<void> {
  await transaction.insert(subscriptions).values({ ...toRow(subscription), dueAt });
}

export async function updateSandboxSubscription(
  transaction: Transaction,
  subscription: SandboxSubscription,
  dueAt: Date | null,
): Promise<void> {
  const { organizationId, id, ...fields } = toRow(subscription);
  await transaction
    .update(subscriptions)
    .set({ ...fields, dueAt })
    .where(hasKey(subscriptions, { organizationId, id }));
}

/** Inserts or updates invoices. They are in order of number, so that one is closed before the next one opens. */
export async function putSandboxInvoices(
  transaction: Transaction,
  { organizationId, id: subscriptionId }: TenantKey,
  changed: readonly SandboxInvoice[],
): Promise<void> {
  if (changed.length === 0) return;
  await transaction
    .insert(invoices)
    .values(changed.map((invoice) => ({ organizationId, subscriptionId, ...invoice })))
    .onConflictDoUpdate({
      target: [invoices.organizationId, invoices.subscriptionId, invoices.number],
      set: {
        status: sql`excluded.status`,
        attempts: sql`excluded.attempts`,
        nextAttemptAt: sql`excluded.next_attempt_at`,
        paidAt: sql`excluded.paid_at`,
      },
    });
}

/** Lists invoices, newest first. */
export function listSandboxInvoices(
  db: Executor,
  { organizationId, id }: TenantKey,
  limit: number,
): Promise<SandboxInvoice[]> {
  return db
    .select(invoiceColumns)
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.subscriptionId, id)))
    .orderBy(desc(invoices.number))
    .limit(limit);
}

/** Lists the subscriptions with an event due at or before an instant, most overdue first. */
export async function listDueSandboxSubscriptions(db: Executor, at: Date, limit: number): Promise<string[]> {
  const due = await searchAllOrganizations(db, (all) =>
    all
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(lte(subscriptions.dueAt, at))
      .orderBy(asc(subscriptions.dueAt))
      .limit(limit),
  );
  return due.map(({ id }) => id);
}

/** Lists the subscriptions created at or after an instant, newest first. */
export function listSandboxSubscriptionsSince(
  db: Executor,
  since: Date,
  limit: number,
): Promise<TenantKey[]> {
  return searchAllOrganizations(db, (all) =>
    all
      .select({ organizationId: subscriptions.organizationId, id: subscriptions.id })
      .from(subscriptions)
      .where(gte(subscriptions.id, firstIdAt("sub", since)))
      .orderBy(desc(subscriptions.id))
      .limit(limit),
  );
}

function fromRow(row: SubscriptionRow, invoice: SandboxInvoice | null): SandboxSubscription {
  const { organizationId, id, planId, variantId, ...rest } = row;
  const {
    cardBehavior,
    cardBrand,
    cardLastFour,
    cardExpiryMonth,
    cardExpiryYear,
    dueAt: _,
    ...fields
  } = rest;
  return {
    organizationId,
    id,
    planId,
    variantId,
    card: {
      behavior: cardBehavior,
      brand: cardBrand,
      lastFour: cardLastFour,
      expiryMonth: cardExpiryMonth,
      expiryYear: cardExpiryYear,
    },
    state: { ...fields, invoice },
  };
}

function toRow({ card, state, ...subscription }: SandboxSubscription): Omit<SubscriptionRow, "dueAt"> {
  const { invoice: _, ...fields } = state;
  return {
    ...subscription,
    ...fields,
    cardBehavior: card.behavior,
    cardBrand: card.brand,
    cardLastFour: card.lastFour,
    cardExpiryMonth: card.expiryMonth,
    cardExpiryYear: card.expiryYear,
  };
}
