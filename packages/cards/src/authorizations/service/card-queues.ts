import type { Database } from "@purser/db";
import { createBatcher } from "@purser/platform";
import { type Ask, type BatchDecision, decideBatch } from "./decide-batch.ts";
import type { DecisionResult } from "./verdict.ts";

/** The network decides by itself after two seconds: whoever could not begin after one need not begin any more. */
const patienceMs = 1000;

/**
 * The ways in which a process decides. They share the few connections that decisions have, so that none of them can
 * keep another from getting any.
 */
export interface CardQueues {
  /** Purchases with whatever cards, together. Cards that somebody has locked are passed over. */
  batched: (ask: Ask) => Promise<BatchDecision>;
  /** Purchases with one card, together, as soon as nobody has it locked. */
  inTurn: (ask: Ask) => Promise<BatchDecision>;
  /** What waits for the lock of a card, one at a time for each card. */
  single: (work: { card: string; decide: () => Promise<DecisionResult> }) => Promise<DecisionResult>;
}

const queues = new WeakMap<Database, CardQueues>();

/** The queues for these connections; they are the process's own, as its connections are. */
export function queuesOf(db: Database): CardQueues {
  const known = queues.get(db);
  if (known !== undefined) return known;
  const made = queuesFor(db);
  queues.set(db, made);
  return made;
}

function queuesFor(db: Database): CardQueues {
  // One connection is for those who wait for nobody.
  const atOnce = Math.max(1, Math.floor((db.$client.options.max - 1) / 2));
  return {
    batched: createBatcher({
      run: (asks) => decideBatch(db, asks, { waits: false }),
      most: 64,
      patienceMs,
    }),
    inTurn: createBatcher({
      run: (asks) => decideBatch(db, asks, { waits: true }),
      most: 64,
      groupOf: ({ issuer, message }) => `${issuer} ${message.card}`,
      atOnce,
      patienceMs,
    }),
    single: createBatcher({
      run: async ([first]) => [await first!.decide()],
      most: 1,
      groupOf: ({ card }) => card,
      atOnce,
      patienceMs,
    }),
  };
}
