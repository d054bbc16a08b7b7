import type { Capabilities, PaymentProviderName, SubscriptionState, SubscriptionStatus } from "../ports.ts";

interface Entitlement {
  status: SubscriptionStatus;
  /** The provider's own status; null for a manual subscription. */
  rawStatus: string | null;
  cancelAtPeriodEnd: boolean;
}

/** A change of a subscription, as the audit trail records it. */
export type SubscriptionChange =
  /** The subscription is in force. */
  | "started"
  /** A payment failed, and the provider retries it. */
  | "payment_failed"
  /** The provider gave up collecting without ending the subscription. */
  | "unpaid"
  /** The subscription is paused, so the provider collects nothing. No payment has failed. */
  | "paused"
  /** A paused subscription is active again. */
  | "unpaused"
  /** The amount due was paid. */
  | "recovered"
  /** The subscription will end with its period. */
  | "ending"
  /** The cancellation was withdrawn. */
  | "resumed"
  | "ended"
  /** The first payment was never made, so the subscription was never in force. */
  | "expired"
  /** The organization has another live subscription, so it pays twice. */
  | "duplicated";

const liveStatuses = new Set<SubscriptionStatus>(["ACTIVE", "PAST_DUE", "UNPAID"]);

/** Whether an organization with such a subscription is subscribed: it cannot buy another one. */
export const isLive = (status: SubscriptionStatus): boolean => liveStatuses.has(status);

/** Whether a subscription has ever been in force. One whose first payment was never made has not. */
export const hasBegun = ({
  status,
  isTrial,
  paidPeriodStart,
}: Pick<ShownSubscription, "status" | "paidPeriodStart"> & { isTrial: boolean }): boolean =>
  isLive(status) || isTrial || paidPeriodStart !== null;

/** What decides about a change of a subscription, besides its status. */
interface Circumstances {
  isOwner: boolean;
  /** What the payment provider supports; null for a manual subscription, and without the provider's configuration. */
  capabilities: Pick<Capabilities, "resume" | "portal"> | null;
  isManual: boolean;
}

/** Returns what a subscription is now, and what a caller may do about it. */
export function subscriptionPermissions(
  subscription: Entitlement & { isTrial: boolean },
  { isOwner, capabilities, isManual }: Circumstances,
) {
  const { status, cancelAtPeriodEnd } = subscription;
  const canChange = isOwner && status !== "CANCELED" && (isManual || capabilities !== null);
  const isResumable = canChange && (isManual || capabilities?.resume === true);
  return {
    isLive: isLive(status),
    isTrial: status === "ACTIVE" && subscription.isTrial,
    isOverdue: isOverdue(subscription),
    canCancel: canChange && !cancelAtPeriodEnd,
    canResume: isResumable && cancelAtPeriodEnd,
    canResumeLater: isResumable && (isManual || endsWithPeriod(subscription)),
    canOpenPortal: isOwner && capabilities?.portal === true,
  };
}

/** Returns what changed between two states of a subscription, in the order in which it is reported. */
export function subscriptionChanges(
  before: Entitlement | undefined,
  after: Entitlement,
): SubscriptionChange[] {
  if (before !== undefined && after.status === "CANCELED" && before.status !== "CANCELED")
    return [isLive(before.status) ? "ended" : "expired"];
  if (!isLive(after.status)) return [];
  const wasLive = before !== undefined && isLive(before.status);
  const changes: SubscriptionChange[] = wasLive ? [] : ["started"];
  const previous = wasLive ? phaseOf(before) : "ACTIVE";
  const phase = phaseOf(after);
  if (phase !== previous) changes.push(phaseChange(previous, phase));
  const wasEnding = wasLive && before.cancelAtPeriodEnd;
  if (after.cancelAtPeriodEnd && !wasEnding) changes.push("ending");
  if (!after.cancelAtPeriodEnd && wasEnding) changes.push("resumed");
  return changes;
}

type Phase = "ACTIVE" | "PAST_DUE" | "UNPAID" | "PAUSED";

/** The status of a live subscription. Our UNPAID includes what every provider calls `paused`, if no payment is due. */
function phaseOf({ status, rawStatus }: Entitlement): Phase {
  if (status === "PAST_DUE") return status;
  if (status === "UNPAID") return rawStatus === "paused" ? "PAUSED" : status;
  return "ACTIVE";
}

/** Whether a payment is due that failed. A paused subscription owes nothing. */
const isOverdue = (subscription: Entitlement): boolean =>
  ["PAST_DUE", "UNPAID"].includes(phaseOf(subscription));

/**
 * Whether every provider ends a canceled one with its period. Some end it at once while no paid period is running: during a
 * pause, also one that began with a failed payment, or before the first payment.
 */
const endsWithPeriod = ({ status, rawStatus }: Entitlement): boolean =>
  status !== "INCOMPLETE" && !(status === "UNPAID" && rawStatus?.startsWith("paused"));

const phaseStarts = { PAST_DUE: "payment_failed", UNPAID: "unpaid", PAUSED: "paused" } as const;

function phaseChange(previous: Phase, phase: Phase): SubscriptionChange {
  if (phase !== "ACTIVE") return phaseStarts[phase];
  return previous === "PAUSED" ? "unpaused" : "recovered";
}

interface StoredSubscription extends Entitlement {
  provider: PaymentProviderName | null;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
}

/**
 * Returns a subscription as of an instant. No provider ends a manual subscription, so it reads CANCELED from the
 * instant at which its canceled period ends. Nothing is left to end then. One that was entered as CANCELED stays as entered.
 */
export function subscriptionAt<Row extends StoredSubscription>(subscription: Row, now: Date): Row {
  const { provider, status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const isEnding = provider === null && status !== "CANCELED" && cancelAtPeriodEnd;
  const isOver = isEnding && now.getTime() >= currentPeriodEnd.getTime();
  return isOver ? { ...subscription, status: "CANCELED", cancelAtPeriodEnd: false } : subscription;
}

/** Returns the subscriptions that an organization shows: those that are live, the latest first, or else the latest one. */
export function shownSubscriptions<Row extends StoredSubscription & { id: string }>(
  rows: Row[],
  now: Date,
): Row[] {
  const newestFirst = rows.map((row) => subscriptionAt(row, now)).toSorted(byStartAndId);
  const live = newestFirst.filter(({ status }) => isLive(status));
  return live.length > 0 ? live : newestFirst.slice(0, 1);
}

/** Two may have started at the same instant, and the database returns them in any order. */
function byStartAndId<Row extends StoredSubscription & { id: string }>(one: Row, other: Row): number {
  const difference = other.currentPeriodStart.getTime() - one.currentPeriodStart.getTime();
  return difference || (one.id < other.id ? 1 : -1);
}

type Cancellation = Pick<SubscriptionState, "canceledAt" | "isCanceledAtEstimated">;

/**
 * Returns when the cancellation was requested. An estimate is the latest possible time, so the first one is the closest:
 * it stays until the cancellation is withdrawn.
 */
export function cancellationTime(
  before: Pick<ShownSubscription, "canceledAt"> | undefined,
  { canceledAt, isCanceledAtEstimated = false }: Cancellation,
): Date | null {
  if (canceledAt === null || !isCanceledAtEstimated) return canceledAt;
  return before?.canceledAt ?? canceledAt;
}

type Period = Pick<SubscriptionState, "currentPeriodStart" | "currentPeriodEnd">;

type PeriodState = Period & Pick<SubscriptionState, "isPeriodEstimated" | "isPeriodStartEstimated">;

/** Returns the current period. A guess does not replace a stored period: it moves. */
export function currentPeriod(before: Period | undefined, state: PeriodState): Period {
  const { isPeriodEstimated = false, isPeriodStartEstimated = false } = state;
  const endStays = before?.currentPeriodEnd.getTime() === state.currentPeriodEnd.getTime();
  const isGuess = isPeriodEstimated || (isPeriodStartEstimated && endStays);
  const { currentPeriodStart, currentPeriodEnd } = (isGuess && before) || state;
  return { currentPeriodStart, currentPeriodEnd };
}

/** A subscription as its events show it. */
interface ShownSubscription extends Entitlement {
  customerId: string;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  /** When the last period started that was paid. */
  paidPeriodStart: Date | null;
}

type SubscriptionEventType = `subscription.${"created" | "updated" | "past_due" | "canceled" | "renewed"}`;

/** Returns the events of a change, in their order. None if nothing changed that callers see. */
export function subscriptionEventTypes(
  before: ShownSubscription | undefined,
  after: ShownSubscription,
): SubscriptionEventType[] {
  if (before === undefined) return ["subscription.created"];
  const types: SubscriptionEventType[] = [];
  if (after.status === "PAST_DUE" && before.status !== "PAST_DUE") types.push("subscription.past_due");
  if (after.status === "CANCELED" && before.status !== "CANCELED") types.push("subscription.canceled");
  if (isPaidAgain(before, after)) types.push("subscription.renewed");
  // What the types above do not say by themselves.
  const hasOtherStatus = after.status !== before.status && types.length === 0;
  const hasOtherTerms = termsOf(after) !== termsOf(before);
  const hasOtherEnd =
    after.cancelAtPeriodEnd !== before.cancelAtPeriodEnd && !types.includes("subscription.canceled");
  const hasOtherPeriod = periodOf(after) !== periodOf(before) && types.length === 0;
  const isUpdated = hasOtherStatus || hasOtherTerms || hasOtherEnd || hasOtherPeriod;
  return isUpdated ? [...types, "subscription.updated"] : types;
}

/** Another period is paid, on time or late: once per period. */
function isPaidAgain(before: ShownSubscription, after: ShownSubscription): boolean {
  if (after.paidPeriodStart === null) return false;
  if (before.paidPeriodStart !== null) return after.paidPeriodStart > before.paidPeriodStart;
  // The first payment that is seen may be a late one, or one for a later period than that which an administrator entered.
  return isOverdue(before) || (before.status === "ACTIVE" && isOfLaterPeriod(before, after.paidPeriodStart));
}

/** What an administrator entered may differ from the provider's period by a day, so its middle decides. */
function isOfLaterPeriod({ currentPeriodStart, currentPeriodEnd }: ShownSubscription, start: Date): boolean {
  return 2 * start.getTime() > currentPeriodStart.getTime() + currentPeriodEnd.getTime();
}

/** Returns when the last period started that was paid. Providers begin a period before it is paid. */
export function lastPaidPeriodStart(
  before: Pick<ShownSubscription, "paidPeriodStart"> | undefined,
  { status, currentPeriodStart }: Pick<ShownSubscription, "status" | "currentPeriodStart">,
  isPeriodPaid = true,
): Date | null {
  return status === "ACTIVE" && isPeriodPaid ? currentPeriodStart : (before?.paidPeriodStart ?? null);
}

/** Returns a subscription as a provider reports it. What the provider does not know or only estimates stays as it was. */
export function subscriptionAfter(before: ShownSubscription | undefined, state: SubscriptionState) {
  const {
    cancelAt: _end,
    checkoutId: _checkout,
    organizationId: _claimed,
    isPeriodPaid,
    isCanceledAtEstimated: _estimated,
    isPeriodEstimated: _guess,
    isPeriodStartEstimated: _guessedStart,
    ...fields
  } = state;
  const status = state.status ?? before?.status ?? "INCOMPLETE";
  const period = currentPeriod(before, state);
  return {
    ...fields,
    ...period,
    status,
    paidPeriodStart: lastPaidPeriodStart(before, { ...period, status }, isPeriodPaid),
    canceledAt: cancellationTime(before, state),
  };
}

/**
 * Returns when the last period started that a provider reported as paid. What an administrator entered may differ from it by
 * seconds, and so must not be compared with it.
 */
export const paidPeriodAtProvider = ({
  provider,
  paidPeriodStart,
}: Pick<StoredSubscription, "provider"> & Pick<ShownSubscription, "paidPeriodStart">): Date | null =>
  provider === null ? null : paidPeriodStart;

const termsOf = ({ customerId, planId, variantId, canceledAt }: ShownSubscription) =>
  JSON.stringify([customerId, planId, variantId, canceledAt]);

const periodOf = ({ currentPeriodStart, currentPeriodEnd }: ShownSubscription) =>
  JSON.stringify([currentPeriodStart, currentPeriodEnd]);
