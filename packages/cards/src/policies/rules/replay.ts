import {
  type DecidedCard,
  type DecidedPolicy,
  type DeclineReason,
  type PurchaseRequest,
  type Spending,
  decidePurchase,
  declineReasons,
} from "../../authorizations/rules/decide.ts";
import { type Windows, windowsOfDay } from "../../authorizations/rules/windows.ts";
import type { Channel } from "../../ports.ts";

/** A past purchase. Amounts are in minor units of the card's currency. */
export interface PastPurchase {
  id: string;
  cardId: string;
  cardCountry: string;
  currency: string;
  /** The approved amount, with increments; 0 for a clearing without an authorization. */
  authorized: number;
  /** The amount that the merchant requested, if it accepted less; otherwise null. */
  requested: number | null;
  /** The amount that counts in the end: still held or cleared. */
  counted: number;
  merchantName: string;
  merchantId: string | null;
  merchantCategory: string | null;
  merchantCountry: string | null;
  channel: Channel;
  /** The instant in milliseconds since 1970, and its day in the card's time zone as YYYY-MM-DD. */
  purchasedAt: number;
  localDay: string;
}

/** The result of a replay. */
interface ReplayOutcome {
  evaluated: number;
  declined: number;
  /** Purchases that would have been approved for less than they were. */
  partiallyApproved: number;
  /** The sum over all currencies, and the sums per currency, in alphabetical order. */
  amountDeclined: number;
  amountsDeclined: CurrencyAmount[];
  /** The most frequent first. */
  reasons: { reason: DeclineReason; count: number; amount: number; amounts: CurrencyAmount[] }[];
  /** Purchases that would have been declined, the newest first. */
  newestDeclined: string[];
}

interface CurrencyAmount {
  currency: string;
  amount: number;
}

/** The number of declined purchases in the result. */
const maxSamples = 20;

/**
 * Replays purchases under another policy. Take them in order of purchase. An approved purchase
 * counts with its final amount; a declined one does not count. A clearing without an authorization cannot be declined,
 * and counts. Of the card only its country matters: it was valid when each purchase was approved.
 */
export function createReplay(policy: DecidedPolicy, { partialApprovals }: { partialApprovals: boolean }) {
  const reasons = new Map<DeclineReason, { count: number; sums: Sums }>();
  const declinedSums: Sums = new Map();
  let newestDeclined: string[] = [];
  const cards = new Map<string, ReplayedCard>();
  let evaluated = 0;
  let partiallyApproved = 0;

  return {
    take(past: PastPurchase): void {
      let card = cards.get(past.cardId);
      if (card === undefined) cards.set(past.cardId, (card = newCard(past)));
      const windows = windowsOfDay(past.localDay);
      if (past.authorized > 0) {
        evaluated += 1;
        const { month, dayOfWeek } = windows;
        const spending = { month, dayOfWeek, used: usedIn(card, windows), resetsAt: never };
        const purchase = { ...purchaseOf(past), mayBePartial: partialApprovals && past.requested !== null };
        const { reason, approvedAmount } = decidePurchase(purchase, card.decided, policy, spending);
        if (reason === null && approvedAmount < past.authorized) {
          partiallyApproved += 1;
          // The merchant then takes at most what is approved.
          return spend(card, windows, Math.min(past.counted, approvedAmount));
        }
        if (reason !== null) {
          const { count, sums } = reasons.get(reason) ?? { count: 0, sums: new Map() };
          reasons.set(reason, { count: count + 1, sums });
          for (const one of [sums, declinedSums]) addTo(one, past.currency, past.authorized);
          newestDeclined.push(past.id);
          if (newestDeclined.length === 1000) newestDeclined = newestOf(newestDeclined);
          return;
        }
      }
      spend(card, windows, past.counted);
    },

    outcome(): ReplayOutcome {
      const byReason = declineReasons.flatMap((reason) => {
        const found = reasons.get(reason);
        if (found === undefined) return [];
        return [{ reason, count: found.count, amount: totalOf(found.sums), amounts: listSums(found.sums) }];
      });
      return {
        evaluated,
        partiallyApproved,
        declined: byReason.reduce((sum, { count }) => sum + count, 0),
        amountDeclined: totalOf(declinedSums),
        amountsDeclined: listSums(declinedSums),
        reasons: byReason.toSorted((one, other) => other.count - one.count),
        newestDeclined: newestOf(newestDeclined).toReversed(),
      };
    },
  };
}

function purchaseOf(past: PastPurchase): PurchaseRequest {
  const { authorized, requested, currency, channel } = past;
  const merchant = {
    name: past.merchantName,
    id: past.merchantId,
    category: past.merchantCategory,
    country: past.merchantCountry,
  };
  return {
    amount: requested ?? authorized,
    currency,
    merchant,
    channel,
    at: new Date(past.purchasedAt),
  };
}

/** A card as it was when the purchase was approved, and what was spent in its latest windows, by their first days. */
interface ReplayedCard {
  decided: DecidedCard;
  days: Map<string, number>;
  weeks: Map<string, number>;
  months: Map<string, number>;
  years: Map<string, number>;
  allTime: number;
}

function newCard({ currency, cardCountry: country }: PastPurchase): ReplayedCard {
  const decided = { status: "ACTIVE", currency, country, ...neverExpires } as const;
  const [days, weeks, months, years] = [new Map(), new Map(), new Map(), new Map()];
  return { decided, days, weeks, months, years, allTime: 0 };
}

const neverExpires = { expiryMonth: 12, expiryYear: 9999 };

/** A replay does not report when limits reset; computing it would take longer than all the rest. */
const never = () => null;

function usedIn(
  { days, weeks, months, years, allTime }: ReplayedCard,
  { day, week, month, year }: Windows,
): Spending["used"] {
  return {
    PER_TRANSACTION: 0,
    DAILY: days.get(day) ?? 0,
    WEEKLY: weeks.get(week) ?? 0,
    MONTHLY: months.get(month) ?? 0,
    YEARLY: years.get(year) ?? 0,
    ALL_TIME: allTime,
  };
}

function spend(card: ReplayedCard, { day, week, month, year }: Windows, amount: number): void {
  addToLatest(card.days, day, amount);
  addToLatest(card.weeks, week, amount);
  addToLatest(card.months, month, amount);
  addToLatest(card.years, year, amount);
  card.allTime = add(card.allTime, amount);
}

/**
 * Adds to a window and forgets all but the latest two, so that a card costs the same memory whatever its age. In order of
 * purchase, only a change of the card's time zone leads back, and not further than the window before.
 */
function addToLatest(windows: Map<string, number>, firstDay: string, amount: number): void {
  addTo(windows, firstDay, amount);
  if (windows.size <= 2) return;
  const [oldest] = windows.keys();
  windows.delete(oldest!);
}

/** Amounts by currency. */
type Sums = Map<string, number>;

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, add(sums.get(key) ?? 0, amount));
}

const totalOf = (sums: Sums) => [...sums.values()].reduce(add, 0);

const listSums = (sums: Sums): CurrencyAmount[] =>
  [...sums].map(([currency, amount]) => ({ currency, amount })).toSorted(byCurrency);

const byCurrency = (one: CurrencyAmount, other: CurrencyAmount) => (one.currency < other.currency ? -1 : 1);

/** Sums saturate at the largest safe integer. */
const add = (one: number, other: number) => Math.min(one + other, Number.MAX_SAFE_INTEGER);

/** The newest of the ids, sorted from old to new. */
const newestOf = (ids: string[]) => ids.toSorted().slice(-maxSamples);
