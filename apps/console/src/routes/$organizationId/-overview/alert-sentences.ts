import type { BankConnectionHealth, CardListItem, CurrentSubscription } from "@purser/client";
import { formatDistance } from "../../../data/format.ts";
import { subscriptionsOf } from "../../../data/subscriptions.ts";

interface OverviewAlert {
  key: string;
  sentence: string;
  /** The page on which a person can do something about it. */
  page: "accounts" | "cards" | "billing";
}

export function alertsOfBank(health: BankConnectionHealth, now: Date): OverviewAlert[] {
  const {
    connectionId: key,
    status,
    isConsentEnding,
    deadline,
    deadlineKind,
    institutionName: bank,
  } = health;
  const at = (sentence: string): OverviewAlert[] => [{ key, sentence, page: "accounts" }];
  if (status === "needs_reauthorization") return at(`${bank} asks someone to sign in again.`);
  if (status === "failing") return at(`${bank} could not be read. Purser tries again by itself.`);
  if (!isConsentEnding) return [];
  const distance = formatDistance(deadline, now);
  return at(
    deadlineKind === "CONFIRMATION_DUE"
      ? `Confirm the consent for ${bank} again. It is due ${distance}.`
      : `The consent for ${bank} ends ${distance}.`,
  );
}

export function alertsOfCard({ id, nickname, lastFour, status, spending }: CardListItem): OverviewAlert[] {
  const { limit, used, isNearLimit } = spending;
  if (status === "CLOSED" || limit === null || !isNearLimit) return [];
  const percent = limit === 0 ? 100 : Math.round((used / limit) * 100);
  const sentence = `The card ${nickname ?? ""} ending in ${lastFour} has used ${percent}% of its limit.`;
  return [{ key: id, sentence: sentence.replace("  ", " "), page: "cards" }];
}

export function alertsOfSubscription(subscription: CurrentSubscription | null): OverviewAlert[] {
  if (!subscriptionsOf(subscription).some(({ isOverdue }) => isOverdue)) return [];
  return [{ key: "subscription", sentence: "A payment for the subscription is past due.", page: "billing" }];
}
