import type { Transaction } from "@purser/db";
import { mailOwners } from "@purser/organizations";
import { type Act, recordAudit } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import { completeCheckout, findOpenCheckout } from "../checkouts/store.ts";
import type { BillingPlatform } from "../context.ts";
import { billingMetrics } from "../metrics.ts";
import { type SubscriptionRow, listSubscriptionRows } from "../store.ts";
import { type NotifiedChange, isNotified, mailOf } from "../subscriptions/mail.ts";
import type { SubscriptionEvent } from "../feed-events/contract.ts";
import {
  isLive,
  subscriptionAt,
  subscriptionChanges,
  subscriptionEventTypes,
} from "../subscriptions/rules.ts";
import { findSubscribedPlan } from "./catalogs.ts";
import { closeOpenCheckout } from "./close-checkout.ts";

interface StoredChange {
  before: SubscriptionRow | undefined;
  after: SubscriptionRow;
  /** When it ends, in whatever period: for the mails. The row has `cancelAtPeriodEnd`. Absent without a provider. */
  cancelAt?: Date | null;
  /** The checkout that the subscription was bought in, where the provider names it. */
  checkoutId?: string | undefined;
}

/**
 * Records the events and audit entries of a changed subscription, mails the owners, and closes a checkout that is no longer
 * needed. `subscriptionEventTypes` decides the events, `subscriptionChanges` the audit entries and mails. It runs in the
 * transaction that stores the row, at whose end one statement inserts the records, so each effect happens exactly once.
 */
export async function recordChanges(
  platform: BillingPlatform,
  transaction: Transaction,
  act: Act,
  { before, after, cancelAt = null, checkoutId }: StoredChange,
): Promise<void> {
  const { organizationId, id: subject, status, planId, variantId, provider } = after;
  const at = platform.clock.now();
  const types = subscriptionEventTypes(before, after);
  const events = types.map((type) => ({ organizationId, type, subject, data: after }));
  await recordEvents<SubscriptionEvent>(platform, transaction, act.actor, events);
  const changes = subscriptionChanges(before, after);
  if (changes.length === 0) return;
  const others = (await listSubscriptionRows(transaction, organizationId)).filter(
    (row) => row.id !== subject && isLive(subscriptionAt(row, at).status),
  );
  const hasStarted = changes.includes("started");
  if (hasStarted && others.length > 0) {
    changes.push("duplicated");
    platform.meter.count(billingMetrics.duplicates, { provider: provider ?? "manual" });
    platform.logger.error(
      { provider, subscriptionId: subject, organizationId, others: others.map(({ id }) => id) },
      "An organization has more than one live subscription, and may pay for each",
    );
  }
  for (const change of changes) {
    const details = { change, status, provider, planId, variantId };
    recordAudit(transaction, { organizationId, subject, at, ...act, details });
  }
  if (hasStarted) await closeFulfilledCheckout(platform, transaction, after, checkoutId);
  const notified = changes.filter(isNotified);
  if (notified.length === 0) return;
  const endsAt = cancelAt ?? after.currentPeriodEnd;
  await notifyOwners(platform, transaction, { changed: after, others, endsAt }, notified);
}

/**
 * Records the end of a manual subscription that reads as CANCELED but is not stored as such yet. Returns the subscription as
 * of now, for the caller to store.
 */
export async function recordManualEnd(
  platform: BillingPlatform,
  transaction: Transaction,
  stored: SubscriptionRow,
): Promise<SubscriptionRow> {
  const present = subscriptionAt(stored, platform.clock.now());
  const act = { actor: null, action: "billing.reconcile" };
  if (present.status !== stored.status)
    await recordChanges(platform, transaction, act, { before: stored, after: present });
  return present;
}

/** An organization with a live subscription needs no checkout, and must not pay for a second subscription. */
async function closeFulfilledCheckout(
  platform: BillingPlatform,
  transaction: Transaction,
  { organizationId, provider, planId }: SubscriptionRow,
  checkoutId: string | undefined,
): Promise<void> {
  // Even one that another checkout had superseded: its page accepted the payment.
  if (checkoutId !== undefined) await completeCheckout(transaction, { organizationId, id: checkoutId });
  const open = await findOpenCheckout(transaction, organizationId);
  if (open === undefined) return;
  const isFulfilled = checkoutId === undefined && open.provider === provider && open.planId === planId;
  // It is expired at the provider even when it looks fulfilled: the payment may belong to an earlier checkout.
  await closeOpenCheckout(platform, transaction, open, isFulfilled ? "COMPLETED" : "SUPERSEDED");
}

async function notifyOwners(
  platform: BillingPlatform,
  transaction: Transaction,
  { changed, others, endsAt }: { changed: SubscriptionRow; others: SubscriptionRow[]; endsAt: Date },
  changes: NotifiedChange[],
): Promise<void> {
  const planNames: string[] = [];
  for (const row of [changed, ...others])
    planNames.push((await findSubscribedPlan(platform, transaction, row))?.name ?? "Your plan");
  const [planName = "", ...otherPlanNames] = planNames;
  const { appUrl } = platform.settings;
  for (const change of changes)
    await mailOwners(platform, transaction, changed.organizationId, (organizationName) =>
      mailOf(change, { organizationName, planName, otherPlanNames, endsAt, appUrl }),
    );
}
