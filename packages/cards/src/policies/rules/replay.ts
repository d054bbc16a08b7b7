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

/** A purchase that was made once. Amounts are in minor units of the card's currency. */
export interface PastPurchase {
  id: string;
  cardId: string;
  cardCountry: string;
  currency: string;
  /** All that was approved, increments included; 0 for what was cleared without having been authorized. */
  authorized: number;
  /** What came of it: what is held still and what was cleared. */
  counted: number;
  merchantName: string;
  merchantId: string | null;
  merchantCategory: string | null;
  merchantCountry: string | null;
  channel: Channel;
  /** The instant, in milliseconds since 1970, and its day in the calendar of the organization as YYYY-MM-DD. */
  purchasedAt: number;
  localDay: string;
}

/** What a policy would have done. */
interface Outcome {
  evaluated: number;
  declined: number;
  amountDeclined: number;
  /** The most frequent first. */
  reasons: { reason: DeclineReason; count: number; amount: number }[];
  /** The newest that would have been declined, the newest first. */
  newestDeclined: string[];
}

/** How many of the declined purchases are shown. */
const samples = 20;

/**
 * Plays purchases again under another policy. They come card by card, and of each card in the order in which they
 * were made. What was approved counts with what came of it in the end; what would have been declined does not count;
 * and what was cleared without having been authorized could not have been declined, and counts. Of a card nothing is
 * asked but where it is at home: it was good for these purchases when they were made.
 */
export function replay(policy: DecidedPolicy) {
  const reasons = new Map<DeclineReason, { count: number; amount: number }>();
  const newestDeclined: string[] = [];
  let evaluated = 0;
  let card: Card | undefined;

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

    outcome(): Outcome {
      const found = declineReasons.flatMap((reason) => {
        const sums = reasons.get(reason);
        return sums === undefined ? [] : [{ reason, ...sums }];
      });
      return {
        evaluated,
        declined: found.reduce((sum, { count: declined }) => sum + declined, 0),
        amountDeclined: found.reduce((sum, { amount }) => add(sum, amount), 0),
        reasons: found.toSorted((one, other) => other.count - one.count),
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

/** A card as it was when the purchase was approved, with what has been spent since by its windows' first days. */
interface Card {
  id: string;
  decided: { status: "ACTIVE"; currency: string; country: string; expiresAt: Date };
  days: Map<string, number>;
  weeks: Map<string, number>;
  months: Map<string, number>;
}

function newCard({ cardId: id, currency, cardCountry: country }: PastPurchase): Card {
  const decided = { status: "ACTIVE", currency, country, expiresAt: endOfTime } as const;
  return { id, decided, days: new Map(), weeks: new Map(), months: new Map() };
}

const endOfTime = new Date(8.64e15);

/** Nobody is told when the limits of a replay reset, and to find it out takes longer than all the rest. */
const never = () => null;

function usedIn({ days, weeks, months }: Card, { day, week, month }: Windows): Spending["used"] {
  return {
    PER_TRANSACTION: 0,
    DAILY: days.get(day) ?? 0,
    WEEKLY: weeks.get(week) ?? 0,
    MONTHLY: months.get(month) ?? 0,
  };
}

function spend({ days, weeks, months }: Card, { day, week, month }: Windows, amount: number): void {
  for (const [sums, start] of [
    [days, day],
    [weeks, week],
    [months, month],
  ] as const) {
    sums.set(start, add(sums.get(start) ?? 0, amount));
  }
}

/** Sums end where numbers cease to be exact. */
const add = (one: number, other: number) => Math.min(one + other, Number.MAX_SAFE_INTEGER);

/** Keeps the newest of all identifiers that it is given, the oldest of them first. */
function keepNewest(newest: string[], id: string): void {
  if (newest.length === samples && id < newest[0]!) return;
  const place = newest.findIndex((other) => other > id);
  newest.splice(place === -1 ? newest.length : place, 0, id);
  if (newest.length > samples) newest.shift();
}

const windowsByDay = new Map<string, Windows>();

/** Years of purchases lie on few days, and card after card on the same ones. */
function windowsOfDay(localDay: string): Windows {
  const known = windowsByDay.get(localDay);
  if (known !== undefined) return known;
  const windows = windowsAt(new Date(localDay), "UTC");
  if (windowsByDay.size === 5000) windowsByDay.clear();
  windowsByDay.set(localDay, windows);
  return windows;
}
