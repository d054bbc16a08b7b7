import type { CardListItem, CardPolicyBacktest } from "@purser/client";

/** As many cards as are replayed one by one. Each is a request of its own to the service. */
const mostCards = 20;

/** Whose purchases are replayed: those of the cards that follow the policy, of all cards, or of one. */
export const cardsOfPolicy = "policy";
export const allCards = "all";

/** The open cards that follow the policy. Empty if they are too many to replay one by one. */
export function followersOf(cards: readonly CardListItem[], policyId: string | undefined): CardListItem[] {
  const followers = cards.filter(({ policy, status }) => policy.id === policyId && status !== "CLOSED");
  return followers.length > mostCards ? [] : followers;
}

/** The outcomes of several cards as one. Each card has limits for itself, so they only add up. */
export function sumOfBacktests(outcomes: readonly CardPolicyBacktest[]): CardPolicyBacktest {
  const sum = (of: (outcome: CardPolicyBacktest) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const reasons = Map.groupBy(
    outcomes.flatMap((outcome) => outcome.reasons),
    ({ reason }) => reason,
  );
  return {
    evaluated: sum(({ evaluated }) => evaluated),
    approved: sum(({ approved }) => approved),
    declined: sum(({ declined }) => declined),
    partiallyApproved: sum(({ partiallyApproved }) => partiallyApproved),
    amountDeclined: sum(({ amountDeclined }) => amountDeclined),
    amountsDeclined: sumOfAmounts(outcomes.flatMap(({ amountsDeclined }) => amountsDeclined)),
    reasons: [...reasons]
      .map(([reason, same]) => ({
        reason,
        count: same.reduce((total, { count }) => total + count, 0),
        amount: same.reduce((total, { amount }) => total + amount, 0),
        amounts: sumOfAmounts(same.flatMap(({ amounts }) => amounts)),
      }))
      .toSorted((a, b) => b.count - a.count),
    samples: outcomes
      .flatMap(({ samples }) => samples)
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, samplesShown),
  };
}

/** As many as the service returns for one card. */
const samplesShown = 20;

function sumOfAmounts(amounts: CardPolicyBacktest["amountsDeclined"]): CardPolicyBacktest["amountsDeclined"] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, same]) => ({ currency, amount: same.reduce((total, { amount }) => total + amount, 0) }))
    .toSorted((a, b) => a.currency.localeCompare(b.currency));
}
