import type { CurrentSubscription, OtherSubscription } from "@purser/client";

/** What an organization shows: the current subscription, and the others that are live. */
export function subscriptionsOf(current: CurrentSubscription | null | undefined): OtherSubscription[] {
  if (!current) return [];
  // A process of the release before has none, while the service is updated.
  const others: OtherSubscription[] | undefined = current.others;
  return [current, ...(others ?? [])];
}
