import type { SubscriptionRow } from "../store.ts";
import { isLive } from "./rules.ts";

/**
 * A subscription as it is at an instant. A manual one, which no provider ends for us, reads CANCELED from the
 * instant its cancelled period is over (contract, section 9).
 */
export function subscriptionAt<Row extends SubscriptionRow>(subscription: Row, now: Date): Row {
  const ended =
    subscription.provider === null &&
    subscription.cancelAtPeriodEnd &&
    now.getTime() >= subscription.currentPeriodEnd.getTime();
  return ended ? { ...subscription, status: "CANCELED" } : subscription;
}

/**
 * The one subscription that an organization shows: the live one with the latest period, otherwise the latest
 * of the rest.
 */
export function currentSubscription<Row extends SubscriptionRow>(rows: Row[], now: Date): Row | null {
  const newestFirst = rows
    .map((row) => subscriptionAt(row, now))
    .toSorted((one, other) => other.currentPeriodStart.getTime() - one.currentPeriodStart.getTime());
  return newestFirst.find(({ status }) => isLive(status)) ?? newestFirst[0] ?? null;
}
