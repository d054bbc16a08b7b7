import { errorText } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockOrganizationEvenIfDeleted } from "@purser/organizations";
import { type Act, confirmLock, findAuditActor } from "@purser/platform";
import type { WebhookEffect } from "@purser/platform/inbox";
import { findCheckout } from "../checkouts/store.ts";
import type { BillingPlatform } from "../context.ts";
import type { SubscriptionToFetch } from "../job-definitions.ts";
import { billingMetrics } from "../metrics.ts";
import {
  BillingError,
  type OrganizationClaim,
  type PaymentProvider,
  type PaymentProviderName,
  type SubscriptionPointer,
  type SubscriptionState,
} from "../ports.ts";
import {
  type SubscriptionRow,
  deleteUnattributed,
  findSubscription,
  findSubscriptionForUpdate,
  lockSubscriptionId,
  putSubscription,
  putUnattributed,
  setBillingCustomer,
  setCheckedAt,
} from "../store.ts";
import { isLive, paidPeriodAtProvider, subscriptionAfter } from "../subscriptions/rules.ts";
import { recordChanges, recordManualEnd } from "./record-changes.ts";

/** A change that a person asks for. */
export interface SubscriptionRequest {
  /** The person, and the procedure. */
  act: Act;
  /**
   * Makes the change at the provider, whose present state it is given. Returns whether the change was made now, was made by
   * an earlier request that failed afterwards, or was not needed. It writes nothing but records.
   */
  change(
    provider: PaymentProvider,
    current: SubscriptionState,
    transaction: Transaction,
  ): Promise<"changed" | "already_changed" | "not_needed">;
}

/**
 * Fetches a subscription from its provider and stores it. Every path ends here: webhooks, the browser that returns
 * from a checkout, reconciliation, cancel and resume. Returns IGNORED when the provider does not know the subscription,
 * it belongs to no organization here, or another provider uses its id.
 *
 * The fetch and the write share one lock across all processes. Without it, the slower of two concurrent fetches could
 * overwrite newer state with older state. The change of a `request` happens under the same lock, so that the webhook that it
 * causes finds it stored, with the person as its actor.
 */
export async function synchronizeSubscription(
  platform: BillingPlatform,
  provider: PaymentProviderName,
  pointer: SubscriptionPointer,
  request?: SubscriptionRequest,
): Promise<WebhookEffect> {
  const { subscriptionId } = pointer;
  const adapter = await platform.payments.at(provider);
  const recordDuration = platform.meter.time(billingMetrics.synchronizeDuration);
  const lock = { name: `subscription ${provider} ${subscriptionId}`, provider };
  const synchronized = platform.locks.run(lock, async (transaction) => {
    const store: RequestedChange["store"] = (state, act) =>
      storeState(platform, transaction, { provider, pointer, state, act });
    const current = await adapter.subscription(subscriptionId);
    // A provider may find an id that is written in another way. It would be stored twice, and one of them never updated.
    if (current !== null && current.id !== subscriptionId)
      throw new BillingError("outage", "The payment provider returned a subscription with another id");
    if (request === undefined || current === null) return { effect: await store(current) };
    return changeAndStore(adapter, transaction, { request, current, store });
  });
  const outcome = synchronized.then(({ effect, failure }) => {
    if (failure !== undefined) throw failure;
    return effect;
  });
  outcome.then(
    (effect) => recordDuration({ provider, outcome: effect.toLowerCase() }),
    () => recordDuration({ provider, outcome: "failed" }),
  );
  return outcome;
}

/** The same in a job. The last failure does not leave a dead job: reconciliation will enqueue another one. */
export async function synchronizeInJob(
  platform: BillingPlatform,
  { provider, ...pointer }: SubscriptionToFetch,
  isLast: boolean,
): Promise<void> {
  try {
    await synchronizeSubscription(platform, provider, pointer);
  } catch (error) {
    if (!isLast) throw error;
    platform.logger.warn(
      { provider, reason: errorText(error) },
      "Fetching a subscription failed in all attempts",
    );
  }
}

interface RequestedChange {
  request: SubscriptionRequest;
  current: SubscriptionState;
  store: (state: SubscriptionState | null, act?: Act) => Promise<WebhookEffect>;
}

/** What is committed, and the error that the caller gets nevertheless. */
interface CommittedResult {
  effect: WebhookEffect;
  failure?: BillingError;
}

/** Makes the change, and records the requester as its actor. Earlier changes are recorded without an actor. */
async function changeAndStore(
  adapter: PaymentProvider,
  transaction: Transaction,
  { request, current, store }: RequestedChange,
): Promise<CommittedResult> {
  const { id } = current;
  await confirmLock(transaction);
  const result = await request.change(adapter, current, transaction).catch((error: unknown) => {
    if (BillingError.is(error) && (error.kind === "ended" || error.hasRemovedChange)) return error;
    throw error;
  });
  // A part of the change is made, so its records are committed. The webhook stores it.
  if (BillingError.is(result) && result.kind !== "ended") return { effect: "IGNORED", failure: result };
  if (result === "not_needed") return { effect: await store(current) };
  if (result === "already_changed") return { effect: await store(current, request.act) };
  await confirmLock(transaction);
  if (result !== "changed") return { effect: await store(await adapter.subscription(id)), failure: result };
  try {
    const state = await adapter.subscription(id);
    await store(current);
    return { effect: await store(state, request.act) };
  } catch (failure) {
    // The change is made, so its records are committed. The webhook or a retry stores it.
    if (BillingError.is(failure)) return { effect: "IGNORED", failure };
    throw failure;
  }
}

interface FetchedState {
  provider: PaymentProviderName;
  pointer: SubscriptionPointer;
  /** Null when the provider does not know the subscription. */
  state: SubscriptionState | null;
  act: Act | undefined;
}

async function storeState(
  platform: BillingPlatform,
  transaction: Transaction,
  { provider, pointer, state, act }: FetchedState,
): Promise<WebhookEffect> {
  const { subscriptionId } = pointer;
  if (state === null) {
    platform.logger.warn({ provider, subscriptionId }, "The payment provider does not know the subscription");
    await setCheckedAt(transaction, { provider, pointers: [pointer], checkedAt: platform.clock.now() });
    await deleteUnattributed(transaction, { provider, id: subscriptionId });
    return "IGNORED";
  }
  const claim = await trustedClaim(transaction, state.organizationId === null ? pointer : state);
  return applyState(platform, transaction, { provider, state: { ...state, ...claim }, act });
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
  { provider, state, act }: Omit<FetchedState, "pointer"> & { state: SubscriptionState },
): Promise<WebhookEffect> {
  const { id: subscriptionId, cancelAt, checkoutId } = state;
  const organizationId = await lockOwner(transaction, state);
  if (organizationId === null) {
    await recordUnattributed(platform, transaction, provider, state);
    return "IGNORED";
  }
  const stored = await findSubscriptionForUpdate(transaction, { organizationId, id: subscriptionId });
  const before = stored && {
    ...(await recordManualEnd(platform, transaction, stored)),
    paidPeriodStart: paidPeriodAtProvider(stored),
  };
  if (before !== undefined && before.provider !== null && before.provider !== provider) {
    platform.logger.error(
      { provider, other: before.provider, subscriptionId },
      "Two payment providers use the same subscription id; the second subscription is not stored",
    );
    return "IGNORED";
  }
  if (state.status === null) reportUnknownStatus(platform, provider, state);
  const checkedAt = platform.clock.now();
  const after = { ...subscriptionAfter(before, state), organizationId, provider, checkedAt };
  const isTaken = stored === undefined && (await isOfAnotherTeam(transaction, after));
  if (isTaken || !(await putSubscription(transaction, after)))
    throw new Error("Another organization stored this subscription in the meantime");
  // Also when it is known: a fetch that ended while billing.sync assigned it may have recorded it afterwards.
  await deleteUnattributed(transaction, { provider, id: subscriptionId });
  const hasStarted = isLive(after.status) && (before === undefined || !isLive(before.status));
  // A checkout makes another customer where the stored one was deleted at the provider. The next one uses that.
  if (hasStarted) await setBillingCustomer(transaction, { organizationId, provider }, state.customerId);
  const requested = act ?? (await findRequester(transaction, before, after));
  const change = { before, after, cancelAt, checkoutId };
  await recordChanges(platform, transaction, requested ?? synchronization, change);
  return "APPLIED";
}

/**
 * Locks the organization of a subscription and returns its id. Null if the subscription belongs to none here. Lock order:
 * organization, then subscription. A concurrent checkout sees this subscription, or this sees it.
 */
async function lockOwner(transaction: Transaction, state: SubscriptionState): Promise<string | null> {
  // A subscription never moves to another organization.
  const known = await findSubscription(transaction, state.id);
  const { organizationId } = known ?? state;
  if (organizationId === null) return null;
  const organization = await lockOrganizationEvenIfDeleted(transaction, organizationId);
  // A deleted organization keeps the subscriptions that it has. No member could see, cancel or assign a new one there.
  const isLost = organization === undefined || (organization.isDeleted && known === undefined);
  return isLost ? null : organizationId;
}

function reportUnknownStatus(
  { meter, logger }: BillingPlatform,
  provider: PaymentProviderName,
  { id: subscriptionId, rawStatus }: SubscriptionState,
): void {
  meter.count(billingMetrics.unknownStatuses, { provider });
  logger.error(
    { provider, subscriptionId, rawStatus },
    "The payment provider reports an unknown status; the last known status stays",
  );
}

/** Whether another organization has stored a new subscription meanwhile. None can from then on, until the transaction ends. */
async function isOfAnotherTeam(
  transaction: Transaction,
  { id, organizationId }: SubscriptionRow,
): Promise<boolean> {
  await lockSubscriptionId(transaction, id);
  const known = await findSubscription(transaction, id);
  return known !== undefined && known.organizationId !== organizationId;
}

const synchronization: Act = { actor: null, action: "billing.synchronize" };

/** Finds the person whose change was made, but could not be read back. */
async function findRequester(
  transaction: Transaction,
  before: SubscriptionRow | undefined,
  { organizationId, id: subject, cancelAtPeriodEnd }: SubscriptionRow,
): Promise<Act | undefined> {
  if (before === undefined || before.cancelAtPeriodEnd === cancelAtPeriodEnd) return undefined;
  // An administrator entered it, so a request in the trail may be older than that.
  if (before.checkedAt === null) return undefined;
  const action = cancelAtPeriodEnd ? "billing.cancel" : "billing.resume";
  return findAuditActor(transaction, { organizationId, subject, action }, before.checkedAt);
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
