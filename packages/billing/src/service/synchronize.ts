import type { Transaction } from "@purser/db";
import { lockOrganizationEvenIfDeleted, mailOwners } from "@purser/organizations";
import { recordAudit } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import type { WebhookEffect } from "@purser/platform/inbox";
import { completeCheckout, findCheckout, findOpenCheckout } from "../checkouts/store.ts";
import type { BillingPlatform } from "../context.ts";
import { billingMetrics } from "../metrics.ts";
import type {
  PaymentProviderName,
  SubscriptionPointer,
  SubscriptionState,
  OrganizationClaim,
} from "../ports.ts";
import {
  type SubscriptionRow,
  deleteUnattributed,
  findSubscription,
  listCatalogs,
  listSubscriptionRows,
  findSubscriptionForUpdate,
  putSubscription,
  putUnattributed,
  setCheckedAt,
} from "../store.ts";
import { type NotifiedChange, isNotified, mailOf } from "../subscriptions/mail.ts";
import type { SubscriptionEvent } from "../subscription-events/contract.ts";
import {
  cancellationTime,
  currentPeriod,
  isLive,
  lastPaidPeriodStart,
  subscriptionAt,
  subscriptionChanges,
  subscriptionEventTypes,
} from "../subscriptions/rules.ts";
import { closeOpenCheckout } from "./close-checkout.ts";

/**
 * Fetches a subscription from its provider and stores it. Every path ends here: webhooks, the browser that returns
 * from a checkout, reconciliation, cancel and resume. Returns IGNORED when the provider does not know the subscription,
 * it belongs to no organization here, or another provider uses its id.
 *
 * The fetch and the write share one lock across all processes. Without it, the slower of two concurrent fetches could
 * overwrite newer state with older state.
 */
export async function synchronizeSubscription(
  platform: BillingPlatform,
  provider: PaymentProviderName,
  pointer: SubscriptionPointer,
): Promise<WebhookEffect> {
  const { subscriptionId } = pointer;
  const adapter = await platform.payments.at(provider);
  const recordDuration = platform.meter.time(billingMetrics.synchronizeDuration);
  const synchronized = withSubscriptionLock(platform, provider, subscriptionId, async (transaction) => {
    const state = await adapter.subscription(subscriptionId);
    if (state === null) {
      platform.logger.warn(
        { provider, subscriptionId },
        "The payment provider does not know the subscription",
      );
      await setCheckedAt(transaction, { provider, ids: [subscriptionId], checkedAt: platform.clock.now() });
      await deleteUnattributed(transaction, { provider, id: subscriptionId });
      return "IGNORED";
    }
    const claim = await trustedClaim(transaction, state.organizationId === null ? pointer : state);
    return applyState(platform, transaction, provider, { ...state, ...claim });
  });
  synchronized.then(
    (outcome) => recordDuration({ provider, outcome: outcome.toLowerCase() }),
    () => recordDuration({ provider, outcome: "failed" }),
  );
  return synchronized;
}

/** Runs `work` while no other process works on the same subscription. */
export function withSubscriptionLock<Result>(
  { locks }: BillingPlatform,
  provider: PaymentProviderName,
  subscriptionId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return locks.run({ name: `subscription ${provider} ${subscriptionId}`, provider }, work);
}

/**
 * A claim that a customer could have forged, which then has a `checkoutId`, counts only if we started that checkout for that
 * organization.
 */
async function trustedClaim(
  transaction: Transaction,
  { organizationId, checkoutId }: OrganizationClaim,
): Promise<OrganizationClaim> {
  if (checkoutId === undefined) return { organizationId };
  const checkout = await findCheckout(transaction, checkoutId);
  return checkout?.organizationId === organizationId
    ? { organizationId, checkoutId }
    : { organizationId: null };
}

async function applyState(
  platform: BillingPlatform,
  transaction: Transaction,
  provider: PaymentProviderName,
  state: SubscriptionState,
): Promise<WebhookEffect> {
  const { id: subscriptionId } = state;
  // A subscription never moves to another organization.
  const known = await findSubscription(transaction, subscriptionId);
  const { organizationId } = known ?? state;
  // Lock order: organization, then subscription. A concurrent checkout sees this subscription, or this sees it.
  const organization =
    organizationId === null ? undefined : await lockOrganizationEvenIfDeleted(transaction, organizationId);
  // A deleted organization keeps the subscriptions that it has. Nobody would see, cancel or assign a new one there.
  const isLost = organization === undefined || (organization.isDeleted && known === undefined);
  if (organizationId === null || isLost) {
    await recordUnattributed(platform, transaction, provider, state);
    return "IGNORED";
  }
  const before = await findSubscriptionForUpdate(transaction, { organizationId, id: subscriptionId });
  if (before !== undefined && before.provider !== null && before.provider !== provider) {
    platform.logger.error(
      { provider, other: before.provider, subscriptionId },
      "Two payment providers use the same subscription id; the second subscription is not stored",
    );
    return "IGNORED";
  }
  if (state.status === null) {
    platform.meter.count(billingMetrics.unknownStatuses, { provider });
    platform.logger.error(
      { provider, subscriptionId, rawStatus: state.rawStatus },
      "The payment provider reports an unknown status; the last known status stays",
    );
  }
  const {
    cancelAt,
    checkoutId,
    isPeriodPaid,
    organizationId: _claimed,
    isCanceledAtEstimated: _estimated,
    isPeriodEstimated: _guess,
    ...fields
  } = state;
  const status = state.status ?? before?.status ?? "INCOMPLETE";
  const period = currentPeriod(before, state);
  const after: SubscriptionRow = {
    ...fields,
    ...period,
    paidPeriodStart: lastPaidPeriodStart(before, { ...period, status }, isPeriodPaid),
    canceledAt: cancellationTime(before, state),
    organizationId,
    provider,
    status,
    checkedAt: platform.clock.now(),
  };
  if (!(await putSubscription(transaction, after)))
    throw new Error("Another organization stored this subscription in the meantime");
  if (before === undefined) await deleteUnattributed(transaction, { provider, id: subscriptionId });
  const cause = { actor: null, action: "billing.synchronize" };
  await recordChanges(platform, transaction, cause, { before, after, cancelAt, checkoutId });
  return "APPLIED";
}

/** A webhook that names the organization may still arrive within this time. Otherwise reconciliation finds it again. */
const attributionMs = 15 * 60 * 1000;

/** Keeps a subscription that belongs to no organization here, and alerts the operator if it is paid. */
async function recordUnattributed(
  { clock, meter, logger }: BillingPlatform,
  transaction: Transaction,
  provider: PaymentProviderName,
  { id, customerId, status, rawStatus, planId, currentPeriodStart }: SubscriptionState,
): Promise<void> {
  const now = clock.now();
  const isPaid = status !== null && isLive(status);
  if (isPaid && now.getTime() - currentPeriodStart.getTime() < attributionMs) return;
  const wasPaid = await putUnattributed(transaction, {
    provider,
    id,
    customerId,
    rawStatus,
    planId,
    isPaid,
    firstSeenAt: now,
    checkedAt: now,
  });
  if (!isPaid || wasPaid) return;
  meter.count(billingMetrics.unattributed, { provider });
  logger.error(
    { provider, subscriptionId: id, customerId, rawStatus },
    "A paid subscription belongs to no organization. Assign it with billing.sync, or cancel it at the provider",
  );
}

interface StoredChange {
  before: SubscriptionRow | undefined;
  after: SubscriptionRow;
  /** When it ends, in whatever period: for the mails. The row has `cancelAtPeriodEnd`. Absent without a provider. */
  cancelAt?: Date | null;
  /** The checkout that the subscription was bought in, where the provider names it. */
  checkoutId?: string | undefined;
}

/** What changed a subscription: a caller's procedure, or a job. */
export interface ChangeCause {
  /** Null when the service itself changed it. */
  actor: { id: string; name: string } | null;
  /** The procedure's name, or the job's. */
  action: string;
}

/**
 * Records the events and audit entries of a changed subscription, mails the owners, and closes a checkout that is no longer
 * needed. `subscriptionEventTypes` decides the events, `subscriptionChanges` the audit entries and mails. It runs in the
 * transaction that stores the row, at whose end one statement inserts the records, so each effect happens exactly once.
 */
export async function recordChanges(
  platform: BillingPlatform,
  transaction: Transaction,
  cause: ChangeCause,
  { before, after, cancelAt = null, checkoutId }: StoredChange,
): Promise<void> {
  const { organizationId, id: subject, status, planId, variantId, provider } = after;
  const at = platform.clock.now();
  const types = subscriptionEventTypes(before, after);
  const events = types.map((type) => ({ organizationId, type, subject, data: after }));
  await recordEvents<SubscriptionEvent>(platform, transaction, cause.actor, events);
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
      "An organization has more than one live subscription, and pays for each",
    );
  }
  for (const change of changes) {
    const details = { change, status, provider, planId, variantId };
    recordAudit(transaction, { organizationId, subject, at, ...cause, details });
  }
  if (hasStarted) await closeFulfilledCheckout(platform, transaction, after, checkoutId);
  const notified = changes.filter(isNotified);
  if (notified.length === 0) return;
  const endsAt = cancelAt ?? after.currentPeriodEnd;
  await notifyOwners(platform, transaction, { changed: after, others, endsAt }, notified);
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
  const [planName = "", ...otherPlanNames] = await findPlanNames(transaction, [changed, ...others]);
  const { appUrl } = platform.settings;
  for (const change of changes)
    await mailOwners(platform, transaction, changed.organizationId, (organizationName) =>
      mailOf(change, { organizationName, planName, otherPlanNames, endsAt, appUrl }),
    );
}

async function findPlanNames(transaction: Transaction, rows: SubscriptionRow[]): Promise<string[]> {
  const providers = rows.map(({ provider }) => provider).filter((provider) => provider !== null);
  const catalogs = await listCatalogs(transaction, [...new Set(providers)]);
  return rows.map(({ provider, planId }) => {
    const catalog = catalogs.find((one) => one.provider === provider);
    return catalog?.plans.find(({ id }) => id === planId)?.name ?? "Your plan";
  });
}
