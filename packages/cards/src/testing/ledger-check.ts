import { isDeepStrictEqual } from "node:util";
import { cardLimitIntervals, type LimitInterval, utcDay } from "@purser/core";
import { type StoredCardDecision, cardCounters, cardLedgerEntries, cardTransactions } from "@purser/db";
import type { TestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { CardMessage } from "../ports.ts";
import type { CardTransactionRow, TestCard } from "./card-scene.ts";
import { type LedgerStep, expectFeed } from "./feed-check.ts";
import { type CardChange, historyOf } from "./history.ts";

type LedgerEntry = typeof cardLedgerEntries.$inferSelect;

/** The messages that a test sent about a card, and those that it sent while nothing else ran. */
export interface KnownMessages {
  messages: ReadonlyMap<string, CardMessage>;
  isolated: ReadonlySet<string>;
  timeZone: string;
}

/** A transaction as the fold of its entries. */
interface Fold {
  status: CardTransactionRow["status"];
  amount: number;
  authorized: number;
  held: number;
  cleared: number;
  declineReason: string | null;
  settledAt: Date | null;
}

/**
 * Checks the stored state of a card against the network's messages, with code other than the engine's: every entry says
 * what its message says, every transaction is the fold of its entries, every counter their sum, and every approval fit
 * the limit when it was made. The organization's feed has an event of every change.
 */
export async function expectSoundLedger(
  purser: TestPurser,
  card: TestCard,
  known: KnownMessages,
): Promise<CardTransactionRow[]> {
  const { db } = purser;
  const entries = await db.select().from(cardLedgerEntries).where(eq(cardLedgerEntries.cardId, card.id));
  const rows = await db.select().from(cardTransactions).where(eq(cardTransactions.cardId, card.id));
  const counters = await db.select().from(cardCounters).where(eq(cardCounters.cardId, card.id));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const history = (await historyOf(purser, card.id)).filter(({ entryId }) => entryId !== null);
  const ordered = history.map((change) => ({ ...change, entry: byId.get(change.entryId!)! }));
  expect(ordered).toHaveLength(entries.length);

  expectMessages(ordered, known);
  await expectFeed(purser, card, rows, expectFolds(rows, ordered));
  expectCounters(rows, entries, counters);
  expectDecisions(rows, ordered, known);
  const counting = rows.filter(({ held, cleared }) => held + cleared > 0);
  for (const { purchasedAt, localDay } of counting) expect(localDay).toBe(dayIn(known.timeZone, purchasedAt));
  return rows;
}

type Ordered = (CardChange & { entry: LedgerEntry })[];

const kinds = {
  reversal: "REVERSAL",
  adjustment: "REVERSAL",
  expiry: "EXPIRY",
  clearing: "CLEARING",
  refund: "REFUND",
} as const;
const disputeKinds = { credit: "DISPUTE_CREDIT", debit: "DISPUTE_DEBIT" } as const;

/** Every entry has kind and amount of its message, and belongs to the purchase that the message names. */
function expectMessages(ordered: Ordered, { messages }: KnownMessages): void {
  const requestOf = ({ networkId }: LedgerEntry) => {
    const message = messages.get(networkId);
    if (message?.kind === "advice") return message.request;
    return message?.kind === "authorization" || message?.kind === "increment" ? message : undefined;
  };
  const names = new Map<string, string | undefined>();
  for (const { entry } of ordered) {
    if (entry.kind === "AUTHORIZATION") names.set(entry.transactionId, requestOf(entry)?.authorization);
  }
  for (const { entry } of ordered) {
    const { kind, amount, networkId, transactionId, decision } = entry;
    const message = messages.get(networkId);
    const name = names.get(transactionId);
    if (kind === "AUTHORIZATION" || kind === "INCREMENT") {
      const request = requestOf(entry);
      if (request === undefined) continue;
      if (name !== undefined) expect(request.authorization).toBe(name);
      // Of a part that we approved, the network adds the rest.
      if (message!.kind === "advice" && kind === "INCREMENT")
        expect(amount).toBeLessThanOrEqual(request.amount);
      else expect(amount).toBe(request.amount);
    } else if (message === undefined) {
      // Our own: the end of a hold, or of an approval that came too late, or what an undone purchase gives back.
      const isUndone = kind === "REFUND" && messages.has(networkId.replace(/:undone$/, ""));
      expect(isUndone || kind === "EXPIRY" || (kind === "REVERSAL" && decision !== null)).toBe(true);
    } else {
      expect(kind).toBe(
        message.kind === "dispute" ? disputeKinds[message.direction] : kinds[message.kind as never],
      );
      if ("amount" in message && message.amount !== null) expect(amount).toBe(message.amount);
      if (name !== undefined) expect("authorization" in message && message.authorization).toBe(name);
    }
  }
}

/** Returns the entries that changed or decided something. */
function expectFolds(rows: CardTransactionRow[], ordered: Ordered): LedgerStep[] {
  const steps: LedgerStep[] = [];
  const folds = new Map<string, Fold>();
  for (const { entry } of ordered) {
    const before = folds.get(entry.transactionId);
    const after = fold(before, entry);
    const weight = ({ held, cleared }: Fold) => held + cleared;
    expect(entry.counted).toBe(weight(after) - (before ? weight(before) : 0));
    folds.set(entry.transactionId, after);
    const isRequest = entry.kind === "INCREMENT" && entry.amount > 0;
    // The feed has an event of the refund, and none of the undone purchase.
    const isUndone = entry.kind === "REFUND" && before !== undefined;
    if (isRequest || (!isUndone && !isDeepStrictEqual(before, after))) steps.push({ entry, after });
  }
  for (const { id, status, amount, authorized, held, cleared, declineReason, settledAt } of rows) {
    const row: Fold = { status, amount, authorized, held, cleared, declineReason, settledAt };
    expect(row).toEqual(folds.get(id));
  }
  expect(folds.size).toBe(rows.length);
  return steps;
}

const none: Fold = {
  status: "PENDING",
  amount: 0,
  authorized: 0,
  held: 0,
  cleared: 0,
  declineReason: null,
  settledAt: null,
};

function fold(before: Fold = none, { kind, amount, counted, final, decision, createdAt }: LedgerEntry): Fold {
  const { held, cleared } = before;
  if (kind === "REFUND" && cleared > 0) return { ...before, cleared: cleared - amount };
  const completed = { status: "COMPLETED", settledAt: createdAt } as const;
  expect(final !== null).toBe(kind === "CLEARING");
  if (kind === "DISPUTE_DEBIT") return { ...none, ...completed, amount };
  if (kind === "REFUND" || kind === "DISPUTE_CREDIT") return { ...none, ...completed, amount: -amount };
  if (kind === "CLEARING") {
    const left = final ? 0 : Math.max(0, held - amount);
    const taken = cleared + amount;
    return { ...before, ...(final && completed), held: left, cleared: taken, amount: left + taken };
  }
  if (kind === "REVERSAL" || kind === "EXPIRY") {
    const left = held - amount;
    // A withdrawal of our own, of what the network has not approved.
    const after = decision === null ? before : { ...before, authorized: before.authorized - amount };
    if (left > 0) return { ...after, held: left, amount: left + cleared };
    if (cleared > 0) return { ...after, ...completed, held: 0, amount: cleared };
    const ended = kind === "EXPIRY" ? "authorization_expired" : "authorization_reversed";
    const declineReason = decision === null ? ended : String(decision.reason);
    return { ...after, held: 0, status: "DECLINED", declineReason };
  }
  if (decision!.outcome === "approved") {
    // A verification of the card.
    if (kind === "AUTHORIZATION" && amount === 0) return { ...before, ...completed };
    // A partial approval counts for less than was requested.
    expect(counted).toBeLessThanOrEqual(amount);
    const authorized = before.authorized + counted;
    return { ...before, amount: before.amount + counted, authorized, held: held + counted };
  }
  if (kind === "INCREMENT") return before;
  return { ...before, amount, status: "DECLINED", declineReason: String(decision!.reason) };
}

function expectCounters(
  rows: CardTransactionRow[],
  entries: LedgerEntry[],
  counters: (typeof cardCounters.$inferSelect)[],
): void {
  const dayOf = new Map(rows.map(({ id, localDay }) => [id, localDay]));
  const expected = new Map<string, number>();
  for (const { transactionId, counted } of entries) {
    const { DAILY, WEEKLY, MONTHLY } = windowsOf(dayOf.get(transactionId)!);
    for (const name of [DAILY, WEEKLY, MONTHLY]) {
      expected.set(name, (expected.get(name) ?? 0) + counted);
    }
  }
  const withoutZero = (sums: Iterable<[string, number]>) =>
    Object.fromEntries([...sums].filter(([, used]) => used !== 0));
  const stored = counters.map(({ period, startsOn, used }): [string, number] => [
    `${period} ${startsOn}`,
    used,
  ]);
  expect(withoutZero(stored)).toEqual(withoutZero(expected));
}

/** Every approval fit the limit at that moment; every decline without concurrency did not. */
function expectDecisions(
  rows: CardTransactionRow[],
  ordered: Ordered,
  { messages, isolated }: KnownMessages,
): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const before: { at: Date; transactionId: string; counted: number }[] = [];
  for (const { entry, status, limits, timeZone, partialApprovals } of ordered) {
    const { transactionId, decision, counted, networkId } = entry;
    const { purchasedAt: at } = byId.get(transactionId)!;
    // The network's own decisions and withdrawn approvals need not fit.
    const message = messages.get(networkId);
    const isLate = decision?.["reason"] === "decision_timed_out";
    if (!isLate && (message?.kind === "authorization" || message?.kind === "increment")) {
      const windowsAtPurchase = windowsOf(dayIn(timeZone, at));
      const usedIn = (interval: LimitInterval) => {
        const counts = (one: (typeof before)[number]) =>
          interval === "PER_TRANSACTION"
            ? one.transactionId === transactionId
            : windowsOf(dayIn(timeZone, one.at))[interval] === windowsAtPurchase[interval];
        return before.filter(counts).reduce((sum, one) => sum + one.counted, 0);
      };
      const lefts = limits.map(({ amount, interval }) => ({ interval, left: amount - usedIn(interval) }));
      const exceeded = lefts.filter(({ left }) => message.amount > 0 && message.amount > left);
      const first = cardLimitIntervals.find((one) => exceeded.some(({ interval }) => interval === one));
      const reason = status === "ACTIVE" ? first && reasons[first] : `card_${status.toLowerCase()}`;
      const isPartial = decision!.outcome === "approved" && counted < message.amount;
      const room = Math.min(...lefts.map(({ left }) => left));
      const acceptsPart = lefts.length > 0 && message.acceptsPartialApproval === true;
      if (isPartial) {
        expect(acceptsPart).toBe(true);
        expect(counted).toBeLessThanOrEqual(room);
      } else if (decision!.outcome === "approved") expect(reason).toBeUndefined();
      // Beside other messages, a decline or a part may be for the counters from before one of them.
      if (isolated.has(networkId)) {
        const isDivisible = status === "ACTIVE" && first !== undefined && first !== "PER_TRANSACTION";
        const isPart = acceptsPart && partialApprovals && isDivisible && room > 0;
        expect(isPartial ? counted : null).toBe(isPart ? room : null);
        expect(decision!.reason ?? undefined).toBe(isPart ? undefined : reason);
        if (status === "ACTIVE") expectBasis(decision!, lefts, isPart ? undefined : first);
      }
    }
    before.push({ at, transactionId, counted });
  }
}

/** The decision names the limit that declined, or otherwise one with the least remaining. */
function expectBasis(
  decision: StoredCardDecision,
  lefts: { interval: LimitInterval; left: number }[],
  declinedBy: LimitInterval | undefined,
): void {
  const remaining = new Map(lefts.map(({ interval, left }) => [interval as unknown, Math.max(0, left)]));
  expect(decision.remaining ?? undefined).toBe(remaining.get(decision.interval));
  if (declinedBy !== undefined) expect(decision.interval).toBe(declinedBy);
  else if (lefts.length > 0) expect(decision.remaining).toBe(Math.min(...remaining.values()));
}

const reasons = {
  PER_TRANSACTION: "transaction_limit_exceeded",
  DAILY: "daily_limit_exceeded",
  WEEKLY: "weekly_limit_exceeded",
  MONTHLY: "monthly_limit_exceeded",
  YEARLY: "yearly_limit_exceeded",
  ALL_TIME: "all_time_limit_exceeded",
};

/** The windows of a day, computed differently than in the engine. */
function windowsOf(day: string) {
  const monday = new Date(`${day}T00:00:00Z`);
  while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
  const week = utcDay(monday);
  return {
    DAILY: `DAY ${day}`,
    WEEKLY: `WEEK ${week}`,
    MONTHLY: `MONTH ${day.slice(0, 8)}01`,
    YEARLY: `YEAR ${day.slice(0, 4)}`,
    ALL_TIME: "ALL TIME",
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant in a time zone. Swedish dates have the form YYYY-MM-DD. */
function dayIn(timeZone: string, instant: Date): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("sv", { timeZone });
  formats.set(timeZone, format);
  return format.format(instant);
}
