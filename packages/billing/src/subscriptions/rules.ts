import type { SubscriptionStatus } from "../ports.ts";

/** What a team is entitled to hangs on these. */
interface Standing {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
}

/** What has become of a subscription, as it is put on record. */
export type Change =
  /** It has come into force. */
  | "started"
  /** A payment has failed; the provider tries again. */
  | "payment_failed"
  /** The provider has given up collecting, and has not ended it. */
  | "unpaid"
  /** What was owed is paid. */
  | "recovered"
  /** It will end with its period. */
  | "ending"
  /** It will go on after all. */
  | "resumed"
  | "ended";

const live = new Set<SubscriptionStatus>(["ACTIVE", "PAST_DUE", "UNPAID"]);

/** Whether a team with such a subscription has one: another cannot be bought. */
export const isLive = (status: SubscriptionStatus): boolean => live.has(status);

/** What has changed for the team between two looks at a subscription, in the order in which it is told. */
export function changesOf(before: Standing | undefined, after: Standing): Change[] {
  const was = before?.status ?? "INCOMPLETE";
  if (after.status === "CANCELED") return before === undefined || was === "CANCELED" ? [] : ["ended"];
  if (after.status === "INCOMPLETE") return [];
  const wasLive = isLive(was);
  const changes: Change[] = wasLive ? [] : ["started"];
  if (after.status === "PAST_DUE" && was !== "PAST_DUE") changes.push("payment_failed");
  if (after.status === "UNPAID" && was !== "UNPAID") changes.push("unpaid");
  if (after.status === "ACTIVE" && wasLive && was !== "ACTIVE") changes.push("recovered");
  const wasEnding = wasLive && before?.cancelAtPeriodEnd === true;
  if (after.cancelAtPeriodEnd && !wasEnding) changes.push("ending");
  if (!after.cancelAtPeriodEnd && wasEnding) changes.push("resumed");
  return changes;
}
