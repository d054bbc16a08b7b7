import {
  type DecidedPolicy,
  type DeclineReason,
  type Purchase,
  type Spending,
  decidePurchase,
  declineReasons,
} from "../../authorizations/rules/decide.ts";
import { type Windows, windowsAt } from "../../authorizations/rules/windows.ts";
import type { Channel } from "../../ports.ts";

/** A past purchase. Amounts are in minor units of the card's currency. */
export interface PastPurchase {
  id: string;
  cardId: string;
  cardCountry: string;
  currency: string;
  /** The approved amount, with increments; 0 for a clearing without an authorization. */
  authorized: number;
  /** The amount that counts in the end: still held or cleared. */
  counted: number;
  merchantName: string;
  merchantId: string | null;
  merchantCategory: string | null;
  merchantCountry: string | null;
  channel: Channel;
  /** The instant in milliseconds since 1970, and its day in the organization's time zone as YYYY-MM-DD. */
  purchasedAt: number;
  localDay: string;
}

/** The result of a replay. */
interface ReplayOutcome {
  evaluated: number;
  declined: number;
  amountDeclined: number;
  /** The most frequent first. */
  reasons: { reason: DeclineReason; count: number; amount: number }[];
  /** Purchases that would have been declined, the newest first. */
  newestDeclined: string[];
}

/** The number of declined purchases in the result. */
const maxSamples = 20;

/**
 * Replays purchases under another policy. Take them card by card, each card in order of purchase. An approved purchase
 * counts with its final amount; a declined one does not count. A clearing without an authorization cannot be declined,
 * and counts. Of the card only its country matters: it was valid when each purchase was approved.
 */
export function createReplay(policy: DecidedPolicy) {
  const reasons = new Map<DeclineReason, { count: number; amount: number }>();
  const newestDeclined: string[] = [];
  let evaluated = 0;
  let card: ReplayedCard | undefined;

  return {
    take(past: PastPurchase): void {
      if (card?.id !== past.cardId) card = newCard(past);
      const windows = windowsOfDay(past.localDay);
      if (past.authorized > 0) {
        evaluated += 1;
        const spending = { dayOfWeek: windows.dayOfWeek, used: usedIn(card, windows), resetsAt: never };
        const { reason } = decidePurchase(purchaseOf(past), card.decided, policy, spending);
        if (reason !== null) {
          const { count, amount } = reasons.get(reason) ?? { count: 0, amount: 0 };
          reasons.set(reason, { count: count + 1, amount: add(amount, past.authorized) });
          keepNewest(newestDeclined, past.id);
          return;
        }
      }
      spend(card, windows, past.counted);
    },

    outcome(): ReplayOutcome {
      const sumsByReason = declineReasons.flatMap((reason) => {
        const sums = reasons.get(reason);
        return sums === undefined ? [] : [{ reason, ...sums }];
      });
      return {
        evaluated,
        declined: sumsByReason.reduce((sum, { count: declined }) => sum + declined, 0),
        amountDeclined: sumsByReason.reduce((sum, { amount }) => add(sum, amount), 0),
        reasons: sumsByReason.toSorted((one, other) => other.count - one.count),
        newestDeclined: newestDeclined.toReversed(),
      };
    },
  };
}

function purchaseOf(past: PastPurchase): Purchase {
  const { authorized: amount, currency, channel } = past;
  const merchant = {
    name: past.merchantName,
    id: past.merchantId,
    category: past.merchantCategory,
    country: past.merchantCountry,
  };
  return { amount, currency, merchant, channel, at: new Date(past.purchasedAt) };
}

/** A card as it was when the purchase was approved, and what was spent in each window, by its first day. */
interface ReplayedCard {
  id: string;
  decided: { status: "ACTIVE"; currency: string; country: string; expiresAt: Date };
  days: Map<string, number>;
  weeks: Map<string, number>;
  months: Map<string, number>;
}

function newCard({ cardId: id, currency, cardCountry: country }: PastPurchase): ReplayedCard {
  const decided = { status: "ACTIVE", currency, country, expiresAt: endOfTime } as const;
  return { id, decided, days: new Map(), weeks: new Map(), months: new Map() };
}

const endOfTime = new Date(8.64e15);

/** A replay does not report when limits reset; computing it would take longer than all the rest. */
const never = () => null;

function usedIn({ days, weeks, months }: ReplayedCard, { day, week, month }: Windows): Spending["used"] {
  return {
    PER_TRANSACTION: 0,
    DAILY: days.get(day) ?? 0,
    WEEKLY: weeks.get(week) ?? 0,
    MONTHLY: months.get(month) ?? 0,
  };
}

function spend({ days, weeks, months }: ReplayedCard, { day, week, month }: Windows, amount: number): void {
  for (const [sums, start] of [
    [days, day],
    [weeks, week],
    [months, month],
  ] as const) {
    sums.set(start, add(sums.get(start) ?? 0, amount));
  }
}

/** Sums saturate at the largest safe integer. */
const add = (one: number, other: number) => Math.min(one + other, Number.MAX_SAFE_INTEGER);

/** Keeps the newest ids, sorted from old to new. */
function keepNewest(newest: string[], id: string): void {
  if (newest.length === maxSamples && id < newest[0]!) return;
  const index = newest.findIndex((other) => other > id);
  newest.splice(index === -1 ? newest.length : index, 0, id);
  if (newest.length > maxSamples) newest.shift();
}

const windowsByDay = new Map<string, Windows>();

/** Cached, because the purchases of all cards fall on the same few days. */
function windowsOfDay(localDay: string): Windows {
  const known = windowsByDay.get(localDay);
  if (known !== undefined) return known;
  const windows = windowsAt(new Date(localDay), "UTC");
  if (windowsByDay.size === 5000) windowsByDay.clear();
  windowsByDay.set(localDay, windows);
  return windows;
}
