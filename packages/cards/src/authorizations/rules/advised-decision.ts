import type { StoredCardDecision } from "@purser/db";
import type { CardStatus, NetworkDecision } from "../../ports.ts";
import { type DecidedCard, type DeclineReason, isCardExpired } from "./decide.ts";

/** A decision of the network as it is recorded. */
export type AdvisedDecision =
  | { approved: true; reason: null }
  | { approved: false; reason: DeclineReason | "decision_timed_out" | "issuer_declined" };

type AdvisedCard = Pick<DecidedCard, "status" | "expiryMonth" | "expiryYear">;

/**
 * Names the reason of a decision of the network. Issuers carry out the status of a card, so they decline most purchases with
 * a card that is not usable before they ask us. The reason is the card's status here, or its expiry in the `month` of the
 * purchase. A card that is usable here has been suspended at the issuer alone.
 */
export function resolveNetworkDecision(
  decision: NetworkDecision,
  card: AdvisedCard,
  month: string,
): AdvisedDecision {
  if (decision.approved) return decision;
  const { reason } = decision;
  return { approved: false, reason: reason === "card_not_usable" ? reasonAtIssuer(card, month) : reason };
}

function reasonAtIssuer(card: AdvisedCard, month: string): DeclineReason | "issuer_declined" {
  return reasonOfStatus[card.status] ?? (isCardExpired(card, month) ? "card_expired" : "issuer_declined");
}

const reasonOfStatus: Readonly<Record<CardStatus, DeclineReason | null>> = {
  CLOSED: "card_closed",
  FROZEN: "card_frozen",
  PAUSED: "card_paused",
  ACTIVE: null,
};

/** The stored form of a decision that the network made without us, on a basis that we do not know. */
export function advisedDecision({ approved, reason }: AdvisedDecision, decidedAt: Date): StoredCardDecision {
  return {
    outcome: approved ? "approved" : "declined",
    reason,
    limit: null,
    used: null,
    remaining: null,
    resetsAt: null,
    interval: null,
    decidedAt,
  };
}
