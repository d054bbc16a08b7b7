import type { CappedCounter } from "../rules/capped-counter.ts";
import type { Windows } from "../rules/windows.ts";
import type { DecidedPurchase } from "./purchase-rows.ts";

/** A card, and the versions of it and of its policy that decisions were made on. */
interface DecidedVersions {
  organizationId: string;
  id: string;
  version: number;
  countersVersion: number;
  policyId: string;
  policyVersion: number;
}

/** Decisions on purchases with one card, in order, all on the same day in its time zone. */
export interface CardDecisions {
  card: DecidedVersions;
  windows: Windows;
  capped: CappedCounter;
  purchases: readonly DecidedPurchase[];
}

/** The card as it was read, and what its approvals add to the capped counter. */
export function cappedRow({ card, capped, windows, purchases }: CardDecisions) {
  return {
    organization_id: card.organizationId,
    card_id: card.id,
    version: card.version,
    counters_version: capped.needsCountersVersion ? card.countersVersion : null,
    policy_id: card.policyId,
    policy_version: card.policyVersion,
    // Purchases that hold nothing, declines and verifications of the card, need no room in the limit.
    approves: purchases.some(({ transaction }) => transaction.status === "PENDING"),
    period: capped.period,
    starts_on: windowStarts(windows)[capped.period],
    counted: countedOf(purchases),
    limit: capped.limit,
  };
}

/** What approvals add to the other two counters. They count too, since a policy may change its limits. */
export function uncappedRows({ card, capped, windows, purchases }: CardDecisions) {
  const { organizationId, id: cardId } = card;
  const used = countedOf(purchases);
  return Object.entries(windowStarts(windows))
    .filter(([period]) => period !== capped.period)
    .map(([period, startsOn]) => {
      return { organizationId, cardId, period: period as CappedCounter["period"], startsOn, used };
    });
}

const countedOf = (purchases: CardDecisions["purchases"]) =>
  purchases.reduce((sum, { entry }) => sum + entry.counted, 0);

/** The first day of each window. */
export function windowStarts({ day, week, month }: Windows): Record<CappedCounter["period"], string> {
  return { DAY: day, WEEK: week, MONTH: month };
}
