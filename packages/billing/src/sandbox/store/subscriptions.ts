import { firstIdAt, isId } from "@purser/core";
import {
  type Executor,
  type Transaction,
  sandboxInvoices as invoices,
  sandboxSubscriptions as subscriptions,
} from "@purser/db";
import { and, asc, desc, eq, getTableColumns, gte, lte, sql } from "drizzle-orm";
import type { SandboxSubscription } from "../mapping.ts";
import type { SandboxInvoice } from "../rules/lifecycle.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;

interface SubscriptionKey {
  organizationId: string;
  id: string;
}

const {
  organizationId: _organization,
  subscriptionId: _subscription,
  ...invoiceColumns
} = getTableColumns(invoices);

/** A subscription by its id alone, with its latest invoice: whoever asks the provider names nothing else. */
export async function findSandboxSubscription(
  db: Executor,
  id: string,
): Promise<SandboxSubscription | undefined> {
  if (!isId("sub", id)) return undefined;
  const [found] = await db
    .select({ row: subscriptions, invoice: invoiceColumns })
    .from(subscriptions)
    .leftJoin(
      invoices,
      and(
        eq(invoices.organizationId, subscriptions.organizationId),
        eq(invoices.subscriptionId, subscriptions.id),
      ),
    )
    .where(eq(subscriptions.id, id))
    .orderBy(desc(invoices.number))
    .limit(1);
  return found && fromRow(found.row, found.invoice);
}

/** Locks a subscription that there is, and gives it as nobody else will change it. */
export async function lockSandboxSubscription(
  transaction: Transaction,
  { organizationId, id }: SubscriptionKey,
): Promise<SandboxSubscription> {
  await transaction
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.organizationId, organizationId), eq(subscriptions.id, id)))
    .for("no key update");
  // Another statement, because one that waits for a row sees its invoices as they were before the wait.
  return (await findSandboxSubscription(transaction, id))!;
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
  const { organizationId, id, ...facts } = toRow(subscription);
  await transaction
    .update(subscriptions)
    .set({ ...facts, dueAt })
    .where(and(eq(subscriptions.organizationId, organizationId), eq(subscriptions.id, id)));
}

/** Stores invoices, new or changed. They are in the order of their numbers, so that one is closed before the next. */
export async function putSandboxInvoices(
  transaction: Transaction,
  { organizationId, id: subscriptionId }: SubscriptionKey,
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

/** The newest first. */
export function listSandboxInvoices(
  db: Executor,
  { organizationId, id }: SubscriptionKey,
  limit: number,
): Promise<SandboxInvoice[]> {
  return db
    .select(invoiceColumns)
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.subscriptionId, id)))
    .orderBy(desc(invoices.number))
    .limit(limit);
}

/** The subscriptions to which something happens at an instant or before, the most overdue first. */
export async function listDueSandboxSubscriptions(db: Executor, at: Date, limit: number): Promise<string[]> {
  const due = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(lte(subscriptions.dueAt, at))
    .orderBy(asc(subscriptions.dueAt))
    .limit(limit);
  return due.map(({ id }) => id);
}

/** The subscriptions that were made at an instant or later, the newest first. */
export function listSandboxSubscriptionsSince(
  db: Executor,
  since: Date,
  limit: number,
): Promise<SubscriptionKey[]> {
  return db
    .select({ organizationId: subscriptions.organizationId, id: subscriptions.id })
    .from(subscriptions)
    .where(gte(subscriptions.id, firstIdAt("sub", since)))
    .orderBy(desc(subscriptions.id))
    .limit(limit);
}

function fromRow(row: SubscriptionRow, invoice: SandboxInvoice | null): SandboxSubscription {
  const { organizationId, id, planId, variantId, ...rest } = row;
  const { cardBehavior, cardBrand, cardLastFour, cardExpiryMonth, cardExpiryYear, dueAt: _, ...facts } = rest;
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
    state: { ...facts, invoice },
  };
}

function toRow({ card, state, ...subscription }: SandboxSubscription): Omit<SubscriptionRow, "dueAt"> {
  const { invoice: _, ...facts } = state;
  return {
    ...subscription,
    ...facts,
    cardBehavior: card.behavior,
    cardBrand: card.brand,
    cardLastFour: card.lastFour,
    cardExpiryMonth: card.expiryMonth,
    cardExpiryYear: card.expiryYear,
  };
}
