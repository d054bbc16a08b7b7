import type { Transaction } from "@purser/db";
import { listOwners, lockExistingOrganization } from "@purser/organizations";
import { recordAudit } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { findCheckout, findOpenCheckout } from "../checkouts/store.ts";
import type { BillingPlatform } from "../context.ts";
import { billingMetrics } from "../metrics.ts";
import type { PaymentProviderName, SubscriptionPointer, SubscriptionState, TeamClaim } from "../ports.ts";
import {
  type SubscriptionRow,
  acquireBillingLock,
  findSubscription,
  listCatalogs,
  lockSubscription,
  putSubscription,
  setCheckedAt,
} from "../store.ts";
import { type NotifiedChange, isNotified, mailOf } from "../subscriptions/mail.ts";
import { isLive, subscriptionChanges } from "../subscriptions/rules.ts";
import { closeOpenCheckout } from "./close-checkout.ts";

/**
 * Fetches a subscription from its provider and stores it. Every path ends here: webhooks, the browser that returns
 * from a checkout, reconciliation, cancel and resume. Returns IGNORED when no organization here owns the subscription.
 *
 * The fetch and the write share one lock across all processes. Without it, the slower of two concurrent fetches could
 * overwrite newer state with older state. The lock uses a separate connection pool, so a slow provider does not starve
 * other requests.
 */
export async function synchronizeSubscription(
  platform: BillingPlatform,
  provider: PaymentProviderName,
  pointer: SubscriptionPointer,
): Promise<"APPLIED" | "IGNORED"> {
  const { subscriptionId } = pointer;
  const adapter = await platform.payments.at(provider);
  const recordDuration = platform.meter.time(billingMetrics.synchroniseDuration);
  const synchronized = withSubscriptionLock(platform, provider, subscriptionId, async (transaction) => {
    const state = await adapter.subscription(subscriptionId);
    if (state === null) {
      platform.logger.warn(
        { provider, subscriptionId },
        "The payment provider does not know the subscription",
      );
      await setCheckedAt(transaction, { id: subscriptionId, provider, checkedAt: platform.clock.now() });
      return "IGNORED";
    }
    const claim = state.organizationId === null ? pointer : state;
    const organizationId = await trustedOrganization(transaction, claim);
    return applyState(platform, transaction, provider, { ...state, organizationId });
  });
  synchronized.then(
    (outcome) => recordDuration({ provider, outcome: outcome.toLowerCase() }),
    () => recordDuration({ provider, outcome: "failed" }),
  );
  return synchronized;
}

/** Runs `work` while no other process works on the same subscription. */
export function withSubscriptionLock<Result>(
  { lockDb }: BillingPlatform,
  provider: PaymentProviderName,
  subscriptionId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return lockDb.transaction(async (transaction) => {
    await acquireBillingLock(transaction, `subscription ${provider} ${subscriptionId}`);
    return work(transaction);
  });
}

/** A claim that a customer could have forged counts only if we started that checkout for that organization. */
async function trustedOrganization(
  transaction: Transaction,
  { organizationId, checkoutId }: TeamClaim,
): Promise<string | null> {
  if (checkoutId === undefined) return organizationId;
  const checkout = await findCheckout(transaction, checkoutId);
  return checkout?.organizationId === organizationId ? organizationId : null;
}

async function applyState(
  platform: BillingPlatform,
  transaction: Transaction,
  provider: PaymentProviderName,
  state: SubscriptionState,
): Promise<"APPLIED" | "IGNORED"> {
  const { id: subscriptionId } = state;
  // A subscription never moves to another organization.
  const { organizationId } = (await findSubscription(transaction, subscriptionId)) ?? state;
  // Lock order: organization, then subscription. A concurrent checkout sees this subscription, or this sees it.
  if (organizationId === null || !(await lockExistingOrganization(transaction, organizationId)))
    return "IGNORED";
  const before = await lockSubscription(transaction, subscriptionId);
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
  const { status, organizationId: _claimed, checkoutId: _checkout, ...fields } = state;
  const after: SubscriptionRow = {
    ...fields,
    organizationId,
    provider,
    status: status ?? before?.status ?? "INCOMPLETE",
    checkedAt: platform.clock.now(),
  };
  if (!(await putSubscription(transaction, after)))
    throw new Error("Another organization stored this subscription in the meantime");
  const cause = { actor: null, action: "billing.synchronise" };
  await recordChanges(platform, transaction, cause, { before, after });
  return "APPLIED";
}

/** What changed a subscription: a caller's procedure, or a job. */
export interface ChangeCause {
  /** Null when the service itself changed it. */
  actor: { id: string; name: string } | null;
  /** The procedure's name, or the job's. */
  action: string;
}

/**
 * Writes the audit entries of a changed subscription, mails the owners, and closes a checkout that is no longer needed.
 * It runs in the transaction that stores the row, so each effect happens exactly once.
 */
export async function recordChanges(
  platform: BillingPlatform,
  transaction: Transaction,
  cause: ChangeCause,
  { before, after }: { before: SubscriptionRow | undefined; after: SubscriptionRow },
): Promise<void> {
  const { organizationId, id: subject, status, planId, variantId, provider } = after;
  const at = platform.clock.now();
  const changes = subscriptionChanges(before, after);
  for (const change of changes) {
    const details = { change, status, provider, planId, variantId };
    await recordAudit(transaction, { organizationId, subject, at, ...cause, details });
  }
  const hasStarted = isLive(after.status) && !(before && isLive(before.status));
  if (hasStarted) await closeFulfilledCheckout(platform, transaction, after);
  const notified = changes.filter(isNotified);
  if (notified.length > 0) await notifyOwners(platform, transaction, after, notified);
}

/** An organization with a live subscription needs no checkout, and must not pay for a second subscription. */
async function closeFulfilledCheckout(
  platform: BillingPlatform,
  transaction: Transaction,
  { organizationId, provider, planId }: SubscriptionRow,
): Promise<void> {
  const open = await findOpenCheckout(transaction, organizationId);
  if (open === undefined) return;
  const isFulfilled = open.provider === provider && open.planId === planId;
  // It is expired at the provider even when it looks fulfilled: the payment may belong to an earlier checkout.
  await closeOpenCheckout(platform, transaction, open, isFulfilled ? "COMPLETED" : "SUPERSEDED");
}

async function notifyOwners(
  { outbox, settings: { appUrl } }: BillingPlatform,
  transaction: Transaction,
  after: SubscriptionRow,
  changes: NotifiedChange[],
): Promise<void> {
  const { organizationId, currentPeriodEnd } = after;
  const planName = await findPlanName(transaction, after);
  for (const { email: to, organizationName } of await listOwners(transaction, organizationId)) {
    for (const change of changes) {
      const mail = mailOf(change, { organizationName, planName, currentPeriodEnd, appUrl });
      await outbox.enqueue(transaction, platformJobs.sendMail, { to, ...mail });
    }
  }
}

async function findPlanName(
  transaction: Transaction,
  { provider, planId }: SubscriptionRow,
): Promise<string> {
  const catalogs = provider === null ? [] : await listCatalogs(transaction, [provider]);
  return catalogs.flatMap(({ plans }) => plans).find(({ id }) => id === planId)?.name ?? "Your plan";
}
