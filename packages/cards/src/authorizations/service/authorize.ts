import { Problem } from "@purser/core";
import type { Executor, TenantKey } from "@purser/db";
import { type Actor, type Platform, createBatcher, perPool } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { CardMessageOf, IssuerName } from "../../ports.ts";
import { cappedCounterOf } from "../rules/capped-counter.ts";
import { addSpent, decidePurchase, spendingOf } from "../rules/decide.ts";
import { windowsAt } from "../rules/windows.ts";
import type { CardDecisions } from "../store/decision-rows.ts";
import { isDuplicateMessage, storeDecisions } from "../store/decisions.ts";
import {
  type DecisionContext,
  type DecisionDatabase,
  type DecisionQuery,
  cardKeyOf,
  findDecisionContexts,
  inDecisionDatabase,
} from "../store/decision-context.ts";
import type { DecidedPurchase } from "../store/purchase-rows.ts";
import { lockPolicyOf, withCardLock } from "../store/card-lock.ts";
import { incrementHold } from "./increment.ts";
import { maxLockWaits, startWithinMs } from "./queue-limits.ts";
import {
  type ChangeSource,
  type DecisionResult,
  feedEventsOf,
  newPurchaseRows,
  toDecisionResult,
} from "./record.ts";
import { findRepeatedRequest, repeatedResult } from "./recorded-messages.ts";

export type AuthorizationMessage = CardMessageOf<"authorization">;

/** A purchase that met this many conflicts waits for the locks. Then nothing can change under its decision. */
const conflictsBeforeLock = 2;
/** Conflicts, in total, before the purchase fails with UNAVAILABLE. Under the locks, only a repeated message conflicts. */
const maxConflicts = 8;

/**
 * Decides on a purchase and stores the decision. One statement checks the limit, raises what counts against it, and
 * verifies that the card is unchanged since it was read. A repeated message gets the first answer again. Another message
 * of a known authorization asks to hold more, see {@link incrementHold}.
 *
 * Throws CARD_NOT_FOUND; TRANSACTION_FINAL if a notification already uses this id, or has cleared the purchase; and
 * UNAVAILABLE after too many conflicts or a second in the queue.
 */
export async function authorizePurchase(
  platform: EventPlatform & Pick<Platform, "decisionDb" | "nodes">,
  issuer: IssuerName,
  message: AuthorizationMessage,
  actor: Actor = null,
): Promise<DecisionResult> {
  return inDecisionDatabase(platform, { issuer, reference: message.card }, (found) => {
    if (found === undefined) throw new Problem("CARD_NOT_FOUND");
    return decide({ platform, actor, issuer, message, ...found });
  });
}

async function decide(
  request: QueuedRequest & { platform: EventPlatform & Pick<Platform, "decisionDb" | "nodes"> },
): Promise<DecisionResult> {
  const { platform, actor, issuer, message, db } = request;
  const { skipLocked, awaitLocks } = decisionQueues(db);
  for (let conflicts = 0; conflicts < maxConflicts;) {
    const decision = await (conflicts < conflictsBeforeLock ? skipLocked : awaitLocks)(request);
    if (decision.kind === "decided") return decision.result;
    if (decision.kind === "unknown card") throw new Problem("CARD_NOT_FOUND");
    if (decision.kind === "recorded") {
      const { first } = await findRepeatedRequest(db, decision.card, message);
      return first === undefined ? incrementHold(platform, issuer, message, actor) : repeatedResult(first);
    }
    // The first request for a card in a batch is never deferred, so this ends.
    if (decision.kind !== "deferred") conflicts += 1;
  }
  throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
}

/** A purchase whose decision the card network is waiting for. */
export interface DecisionRequest extends ChangeSource {
  issuer: IssuerName;
  message: AuthorizationMessage;
}

type QueuedRequest = DecisionRequest & DecisionDatabase;

/**
 * The queues of one process for one pool. They share its few connections, and each has a limit, so that waiting
 * for locked cards never takes the connection of purchases that need no lock.
 */
interface DecisionQueues {
  /** Decides purchases of all cards, one batch at a time. Skips cards that another transaction has locked. */
  skipLocked: (request: QueuedRequest) => Promise<BatchDecision>;
  /** Decides the purchases of one card in one batch, once it holds the locks of the card and of its policy. */
  awaitLocks: (request: QueuedRequest) => Promise<BatchDecision>;
}

const decisionQueues = perPool((pool): DecisionQueues => ({
  skipLocked: createBatcher({
    run: async (requests) => {
      const { db, batchOf } = requests[0]!;
      return announceDecided(requests, await decideBatch(db, requests, batchOf));
    },
    maxBatchSize: 64,
    groupOf: ({ db, batchOf }) => batchOf ?? db,
    maxWaitMs: startWithinMs,
  }),
  awaitLocks: createBatcher({
    run: async (requests: readonly QueuedRequest[]) =>
      announceDecided(requests, await decideUnderLock(requests)),
    maxBatchSize: 64,
    groupOf: cardKeyOfRequest,
    maxConcurrentBatches: maxLockWaits(pool),
    maxWaitMs: startWithinMs,
  }),
}));

const cardKeyOfRequest = ({ issuer, message }: DecisionRequest) =>
  cardKeyOf({ issuer, reference: message.card });

export type BatchDecision =
  | { kind: "decided"; result: DecisionResult }
  | { kind: "unknown card" }
  /** The message, or the authorization that it names, is already on record. */
  | { kind: "recorded"; card: TenantKey }
  /** Nothing is stored: the card is locked, its version changed, or the limit was used up meanwhile. */
  | { kind: "conflict" }
  /** Nothing is decided: the request needs the outcome of another one in this batch. */
  | { kind: "deferred" };

/** Announces the events of decisions that are stored. */
function announceDecided(requests: readonly DecisionRequest[], outcomes: BatchDecision[]): BatchDecision[] {
  const organizations = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.kind === "decided") organizations.add(outcome.result.transaction.organizationId);
  }
  if (organizations.size > 0) requests[0]!.platform.eventLog.announce(organizations);
  return outcomes;
}

/**
 * Decides on a batch of purchases: one query, the rules, one statement. Purchases with one card are decided in order,
 * each on what the approvals before it left. Requests for different cards are independent. Returns one outcome per
 * request.
 */
export async function decideBatch(
  db: Executor,
  requests: readonly DecisionRequest[],
  organizationId: string | null = null,
): Promise<BatchDecision[]> {
  const byCard = Map.groupBy(requests, cardKeyOfRequest);
  const contexts = await findDecisionContexts(db, [...byCard.values()].map(queryOf), organizationId);
  const runs = contexts.map((one) => decideInOrder(one, byCard.get(cardKeyOf(one))!));
  const decisions = runs.map((run) => run.decisions).filter(({ purchases }) => purchases.length > 0);
  // The feed is ordered by it first: transaction ids begin anew in a restored or moved database.
  const { base } = await requests[0]!.platform.eventLog.eras();
  const storedCards = await storeUnlessRepeated(
    db,
    decisions.map((one) => withEvents(one, base)),
    organizationId,
  );
  const outcomes = new Map(runs.flatMap((run) => [...run.outcomes]));
  for (const { card, purchases } of decisions) {
    if (storedCards.has(card.id)) continue;
    for (const { request } of purchases) outcomes.set(request, { kind: "conflict" });
  }
  return requests.map((request) => outcomes.get(request) ?? { kind: "unknown card" });
}

/** Decides on purchases with one card while it holds the locks on the card and on its policy. */
function decideUnderLock(requests: readonly QueuedRequest[]): Promise<BatchDecision[]> {
  const { issuer, message, db, organizationId, batchOf } = requests[0]!;
  return withCardLock(db, { issuer, reference: message.card, organizationId }, async (transaction, card) => {
    if (card !== undefined) await lockPolicyOf(transaction, card);
    return decideBatch(transaction, requests, batchOf);
  });
}

/** The query for one card. It reads the counters around the first purchase; purchases of other days are deferred. */
function queryOf(requests: DecisionRequest[]): DecisionQuery {
  const [{ issuer, message }] = requests as [DecisionRequest];
  return {
    issuer,
    reference: message.card,
    at: message.at,
    networkIds: requests.map((request) => request.message.networkId),
    authorizations: requests.map((request) => request.message.authorization),
    everyWindow: false,
  };
}

interface CardDecisionRun {
  decisions: Omit<CardDecisions, "purchases"> & {
    card: DecisionContext["card"];
    purchases: (Omit<DecidedPurchase, "event"> & { request: DecisionRequest })[];
  };
  outcomes: Map<DecisionRequest, BatchDecision>;
}

/** Decides on the purchases with one card, in order. */
function decideInOrder(context: DecisionContext, requests: readonly DecisionRequest[]): CardDecisionRun {
  const { card, policy, timeZone, partialApprovals, knownMessages, knownAuthorizations } = context;
  const windows = windowsAt(requests[0]!.message.at, timeZone);
  const idsInBatch = new Set<string>();
  const purchases: CardDecisionRun["decisions"]["purchases"] = [];
  const outcomes: CardDecisionRun["outcomes"] = new Map();
  let { counters } = context;
  for (const request of requests) {
    const { networkId, authorization, at, acceptsPartialApproval = false } = request.message;
    const ids = [`message ${networkId}`, `authorization ${authorization}`];
    if (knownMessages.includes(networkId) || knownAuthorizations.includes(authorization)) {
      outcomes.set(request, { kind: "recorded", card });
    } else if (windowsAt(at, timeZone).day !== windows.day || ids.some((id) => idsInBatch.has(id))) {
      outcomes.set(request, { kind: "deferred" });
    } else {
      const spending = spendingOf({ counters, windows, at, timeZone });
      const purchase = { ...request.message, mayBePartial: acceptsPartialApproval && partialApprovals };
      const decision = decidePurchase(purchase, card, policy, spending);
      if (decision.outcome === "approved") counters = addSpent(counters, windows, decision.approvedAmount);
      const now = request.platform.clock.now();
      const rows = newPurchaseRows(card, request.message, decision, { windows, now });
      for (const id of ids) idsInBatch.add(id);
      purchases.push({ request, ...rows });
      outcomes.set(request, { kind: "decided", result: toDecisionResult(rows.transaction, decision) });
    }
  }
  return { outcomes, decisions: { card, windows, capped: cappedCounterOf(policy), purchases } };
}

/** Adds the events that decisions write to the feeds of their organizations. */
function withEvents(
  { purchases, ...decisions }: CardDecisionRun["decisions"],
  eraBase: number,
): CardDecisions {
  const { card } = decisions;
  const written = purchases.map(({ request, transaction, entry }) => {
    const { platform, actor } = request;
    const { createdAt } = transaction;
    const origin = { keys: platform.settings.encryptionKeys, eraBase, createdAt, actor };
    const [event] = feedEventsOf(origin, { entry, transaction, card }, { isCreation: true });
    return { transaction, entry, event: event! };
  });
  return { ...decisions, purchases: written };
}

/** Stores decisions. Returns the ids of the cards for which they still held. */
async function storeUnlessRepeated(
  db: Executor,
  decisions: readonly CardDecisions[],
  organizationId: string | null,
): Promise<ReadonlySet<string>> {
  if (decisions.length === 0) return new Set();
  try {
    return await storeDecisions(db, decisions, organizationId);
  } catch (error) {
    if (!isDuplicateMessage(error)) throw error;
    // A message was recorded after the query. Report a conflict for every card; the next query finds the message. Under the
    // locks this has aborted the transaction, which wrote nothing else.
    return new Set();
  }
}
