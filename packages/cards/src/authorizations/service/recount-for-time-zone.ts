import type { Transaction } from "@purser/db";
import { type Windows, windowsAt } from "../rules/windows.ts";
import { windowStarts } from "../store/decide.ts";
import {
  type CounterChange,
  changeCounters,
  listPurchasesSince,
  lockCardsOf,
  setLocalDays,
} from "../store/recount-for-time-zone.ts";

/** A purchase of before is in no window that a decision of now could be about, in whatever zone; it stays where it is. */
const reach = 70 * 24 * 60 * 60 * 1000;

/**
 * Counts what was spent anew after an organization has moved to another time zone: a purchase of last night may belong
 * to another day, week or month now. Each takes what counts of it along, so that a counter remains the sum of its
 * purchases, also of those that are too old to be moved.
 */
export async function recountForTimeZone(
  transaction: Transaction,
  { organizationId, timeZone, now }: { organizationId: string; timeZone: string; now: Date },
): Promise<void> {
  await lockCardsOf(transaction, organizationId);
  const purchases = await listPurchasesSince(transaction, organizationId, new Date(now.getTime() - reach));
  const days: { id: string; day: string }[] = [];
  const changes = new Changes();
  for (const { id, cardId, purchasedAt, localDay, counted } of purchases) {
    const windows = windowsAt(purchasedAt, timeZone);
    if (windows.day === localDay) continue;
    days.push({ id, day: windows.day });
    changes.add(cardId, windowsAt(new Date(localDay), "UTC"), -counted);
    changes.add(cardId, windows, counted);
  }
  await setLocalDays(transaction, organizationId, days);
  await changeCounters(transaction, organizationId, changes.list());
}

/** What becomes more or less in each counter, all in all. */
class Changes {
  readonly #byCounter = new Map<string, CounterChange>();

  add(cardId: string, windows: Windows, amount: number): void {
    for (const [period, startsOn] of Object.entries(windowStarts(windows))) {
      const counter = `${cardId} ${period} ${startsOn}`;
      const before = this.#byCounter.get(counter)?.amount ?? 0;
      this.#byCounter.set(counter, { cardId, period, startsOn, amount: before + amount });
    }
  }

  list(): CounterChange[] {
    return [...this.#byCounter.values()].filter(({ amount }) => amount !== 0);
  }
}
