import type { PaymentProviderName, SubscriptionStatus } from "../ports.ts";

interface Entitlement {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
}

/** A change of a subscription, as the audit trail records it. */
export type SubscriptionChange =
  /** The subscription is in force. */
  | "started"
  /** A payment failed, and the provider retries it. */
  | "payment_failed"
  /** The provider stopped collecting without ending the subscription. */
  | "unpaid"
  /** The amount due was paid. */
  | "recovered"
  /** The subscription will end with its period. */
  | "ending"
  /** The cancellation was withdrawn. */
  | "resumed"
  | "ended";

const liveStatuses = new Set<SubscriptionStatus>(["ACTIVE", "PAST_DUE", "UNPAID"]);

/** Whether an organization with such a subscription is subscribed: it cannot buy another one. */
export const isLive = (status: SubscriptionStatus): boolean => liveStatuses.has(status);

/** Returns what changed between two states of a subscription, in the order in which it is reported. */
export function subscriptionChanges(
  before: Entitlement | undefined,
  after: Entitlement,
): SubscriptionChange[] {
  const previous = before?.status ?? "INCOMPLETE";
  if (after.status === "CANCELED") return before === undefined || previous === "CANCELED" ? [] : ["ended"];
  if (after.status === "INCOMPLETE") return [];
  const wasLive = isLive(previous);
  const changes: SubscriptionChange[] = wasLive ? [] : ["started"];
  if (after.status === "PAST_DUE" && previous !== "PAST_DUE") changes.push("payment_failed");
  if (after.status === "UNPAID" && previous !== "UNPAID") changes.push("unpaid");
  if (after.status === "ACTIVE" && wasLive && previous !== "ACTIVE") changes.push("recovered");
  const wasEnding = wasLive && before?.cancelAtPeriodEnd === true;
  if (after.cancelAtPeriodEnd && !wasEnding) changes.push("ending");
  if (!after.cancelAtPeriodEnd && wasEnding) changes.push("resumed");
  return changes;
}

interface StoredSubscription extends Entitlement {
  provider: PaymentProviderName | null;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
}

/**
 * Returns a subscription as of an instant. No provider ends a manual subscription, so it reads CANCELED from the
 * instant its canceled period is over (contract, section 9).
 */
export function subscriptionAt<Row extends StoredSubscription>(subscription: Row, now: Date): Row {
  const hasEnded =
    subscription.provider === null &&
    subscription.cancelAtPeriodEnd &&
    now.getTime() >= subscription.currentPeriodEnd.getTime();
  return hasEnded ? { ...subscription, status: "CANCELED" } : subscription;
}

/** Returns the subscription that an organization shows: the latest live one, or else the latest one. */
export function currentSubscription<Row extends StoredSubscription>(rows: Row[], now: Date): Row | null {
  const newestFirst = rows
    .map((row) => subscriptionAt(row, now))
    .toSorted((one, other) => other.currentPeriodStart.getTime() - one.currentPeriodStart.getTime());
  return newestFirst.find(({ status }) => isLive(status)) ?? newestFirst[0] ?? null;
}
