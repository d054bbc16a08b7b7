import { type Clock, newId } from "@purser/core";
import type { Database } from "@purser/db";
import type { CardMessage, IssuerName } from "../../ports.ts";
import { type Decision, decide } from "../rules/decide.ts";
import { addSpent, expiryOf, spendingOf } from "../rules/spending.ts";
import { type Windows, windowsAt } from "../rules/windows.ts";
import { type DecisionContext, type DecisionQuery, findDecidables } from "../store/decision-context.ts";
import {
  type CardDecisions,
  type EventRow,
  type TransactionRow,
  capOf,
  isRepeated,
  storeDecisions,
} from "../store/decide.ts";
import { transactionOf } from "./transaction.ts";
import { type DecisionResult, decided } from "./verdict.ts";

export type AuthorizationMessage = Extract<CardMessage, { kind: "authorization" }>;

/** A purchase that a network waits for the decision on. */
export interface Ask {
  issuer: IssuerName;
  message: AuthorizationMessage;
  clock: Clock;
}

export type BatchDecision =
  | { kind: "decided"; decided: DecisionResult }
  | { kind: "unknown card" }
  /** The message is on record, or what it calls the purchase is. */
  | { kind: "on record"; card: { organizationId: string; id: string } }
  /** Nothing is stored: the card is locked or has changed, or others were quicker. */
  | { kind: "overtaken" }
  /** Nothing is decided: it must come after those that it was asked with. */
  | { kind: "deferred" };

/**
 * Decides on purchases with whatever cards: one query, the rules, and one statement. Those with one card are decided on
 * one after the other in the order in which they are given, each seeing what was approved before. Gives the outcome of
 * each; nobody's depends on another card's. With `waits` it waits for a card that is locked; all are to be with one
 * card then.
 */
export async function decideBatch(
  db: Database,
  asks: readonly Ask[],
  { waits }: { waits: boolean },
): Promise<BatchDecision[]> {
  const byCard = Map.groupBy(asks, ({ issuer, message }) => `${issuer} ${message.card}`);
  const found = await findDecidables(db, [...byCard.values()].map(questionOf));
  const turns = found.map((one) => decideInOrder(one, byCard.get(`${one.issuer} ${one.reference}`)!));
  const decisions = turns.map((turn) => turn.decisions).filter(({ purchases }) => purchases.length > 0);
  const stored = await store(db, decisions, waits);
  const outcomes = new Map(turns.flatMap((turn) => [...turn.outcomes]));
  for (const { card, purchases } of decisions) {
    if (stored.has(card.id)) continue;
    for (const { ask } of purchases) outcomes.set(ask, { kind: "overtaken" });
  }
  return asks.map((ask) => outcomes.get(ask) ?? { kind: "unknown card" });
}

/** What has to be known of a card. Purchases on other days than the first of them have to wait. */
function questionOf(asks: Ask[]): DecisionQuery {
  const [{ issuer, message }] = asks as [Ask];
  return {
    issuer,
    reference: message.card,
    at: message.at,
    networkIds: asks.map((ask) => ask.message.networkId),
    authorizations: asks.map((ask) => ask.message.authorization),
  };
}

interface CardDecisionRun {
  decisions: CardDecisions & { purchases: { ask: Ask; transaction: TransactionRow; event: EventRow }[] };
  outcomes: Map<Ask, BatchDecision>;
}

/** Decides on purchases with one card, one after the other. */
function decideInOrder(found: DecisionContext, asks: readonly Ask[]): CardDecisionRun {
  const { card, policy, timeZone, knownMessages, knownAuthorizations } = found;
  const windows = windowsAt(asks[0]!.message.at, timeZone);
  const names = new Set<string>();
  const purchases: CardDecisionRun["decisions"]["purchases"] = [];
  const outcomes: CardDecisionRun["outcomes"] = new Map();
  let { counters } = found;
  for (const ask of asks) {
    const { networkId, authorization, at, amount } = ask.message;
    const own = [`message ${networkId}`, `authorization ${authorization}`];
    if (knownMessages.includes(networkId) || knownAuthorizations.includes(authorization)) {
      outcomes.set(ask, { kind: "on record", card });
    } else if (windowsAt(at, timeZone).day !== windows.day || own.some((name) => names.has(name))) {
      outcomes.set(ask, { kind: "deferred" });
    } else {
      const spending = spendingOf({ counters, windows, at, timeZone });
      const decision = decide(
        ask.message,
        { ...card, expiresAt: expiryOf(card, timeZone) },
        policy,
        spending,
      );
      if (decision.outcome === "approved") counters = addSpent(counters, windows, amount);
      const purchase = rowsOf(card, ask, decision, windows);
      for (const name of own) names.add(name);
      purchases.push({ ask, ...purchase });
      outcomes.set(ask, { kind: "decided", decided: decided(purchase.transaction, decision) });
    }
  }
  return { outcomes, decisions: { card, windows, cap: capOf(policy), purchases } };
}

/** Stores what was decided; gives the ids of the cards that it held for still. */
async function store(
  db: Database,
  decisions: readonly CardDecisions[],
  waits: boolean,
): Promise<ReadonlySet<string>> {
  if (decisions.length === 0) return new Set();
  try {
    return await storeDecisions(db, decisions, { waits });
  } catch (error) {
    if (!isRepeated(error)) throw error;
    // One of the messages has got on record since it was looked for. The next look at each card will tell.
    return new Set();
  }
}

/** What is kept of a decision. */
function rowsOf(
  card: DecisionContext["card"],
  { message, clock }: Ask,
  decision: Decision,
  windows: Windows,
): { transaction: TransactionRow; event: EventRow } {
  const now = clock.now();
  const approved = decision.outcome === "approved";
  const transaction = transactionOf(card, message, { approved, reason: decision.reason, windows, now });
  const { organizationId, cardId, id: transactionId, amount, held: counted } = transaction;
  const event: EventRow = {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    kind: "AUTHORIZATION",
    networkId: message.networkId,
    amount,
    counted,
    final: null,
    decision: { ...decision, decidedAt: now },
    createdAt: now,
  };
  return { transaction, event };
}
