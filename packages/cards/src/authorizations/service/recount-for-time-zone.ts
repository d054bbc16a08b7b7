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

/** No open window, in any time zone, contains a purchase that is older. Older purchases keep their days. */
const reachMs = 70 * 24 * 60 * 60 * 1000;

/**
 * Moves recent purchases to their windows in an organization's new time zone: last night's purchase may now belong to
 * another day, week or month. Each purchase takes its amount along, so every counter remains the sum of its purchases.
 */
export async function recountForTimeZone(
  transaction: Transaction,
  { organizationId, timeZone, now }: { organizationId: string; timeZone: string; now: Date },
): Promise<void> {
  await lockCardsOf(transaction, organizationId);
  const purchases = await listPurchasesSince(transaction, organizationId, new Date(now.getTime() - reachMs));
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

/** The total change of each counter. */
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
