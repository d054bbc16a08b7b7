import { addMs, dayMs } from "@purser/core";
import { findOrganization } from "@purser/organizations";
import { type Platform, changeOrganization } from "@purser/platform";
import { cardJobs } from "../../job-definitions.ts";
import { listCardIds, lockCard, setCard } from "../../store.ts";
import { type Windows, windowsAt, windowsOfDay } from "../rules/windows.ts";
import { windowStarts } from "../store/decision-rows.ts";
import {
  type CounterChange,
  changeCounters,
  listPurchasesToRecount,
  setLocalDays,
} from "../store/recount-for-time-zone.ts";

/** The number of cards whose recounts are enqueued in one transaction. */
const pageSize = 500;

/** Enqueues a recount of each card of an organization whose time zone has changed, in pages. */
export async function enqueueRecounts(
  platform: Pick<Platform, "db" | "nodes" | "outbox">,
  { organizationId, after }: { organizationId: string; after: string | null },
): Promise<void> {
  const { outbox } = platform;
  await changeOrganization(platform, organizationId, async (transaction) => {
    const cardIds = await listCardIds(transaction, organizationId, { after, rows: pageSize });
    const recounts = cardIds.map((cardId) => ({ organizationId, cardId }));
    await outbox.enqueueAll(transaction, cardJobs.recount, recounts);
    const last = cardIds.at(-1);
    if (last === undefined || cardIds.length < pageSize) return;
    await outbox.enqueue(transaction, cardJobs.recountAll, { organizationId, after: last });
  });
}

/**
 * No open day, week or month, in any time zone, contains a purchase that is older. An older purchase keeps its day, unless
 * another day can put it into another year: that of the last New Year, and the days around it.
 */
const reachMs = 70 * dayMs;
const newYearReachMs = 2 * dayMs;

/**
 * Moves a card to its organization's time zone, if it is in another one. Its recent purchases move to their windows
 * there: last night's purchase may now belong to another day, week or month. Each purchase takes its amount along, so
 * every counter remains the sum of its purchases. Until then the card is decided on in its former time zone.
 */
export async function recountForTimeZone(
  platform: Pick<Platform, "db" | "nodes" | "clock">,
  { organizationId, cardId }: { organizationId: string; cardId: string },
): Promise<void> {
  await changeOrganization(platform, organizationId, async (transaction) => {
    const card = await lockCard(transaction, { organizationId, id: cardId });
    // Read under the card's lock: of two recounts, the later one sees the later time zone.
    const organization = card && (await findOrganization(transaction, organizationId));
    if (card === undefined || organization === undefined) return;
    const { timeZone } = organization;
    if (card.timeZone === timeZone) return;
    const now = platform.clock.now();
    const days: { id: string; day: string }[] = [];
    const changes = new CounterChanges();
    const purchases = await listPurchasesToRecount(transaction, card, {
      since: addMs(now, -reachMs),
      newYear: around(new Date(windowsAt(now, timeZone).year), newYearReachMs),
    });
    for (const { id, purchasedAt, localDay, counted } of purchases) {
      const windows = windowsAt(purchasedAt, timeZone);
      if (windows.day === localDay) continue;
      days.push({ id, day: windows.day });
      changes.add(windowsOfDay(localDay), -counted);
      changes.add(windows, counted);
    }
    await setLocalDays(transaction, card, days);
    await changeCounters(transaction, card, changes.list());
    await setCard(transaction, card, { timeZone });
  });
}

const around = (instant: Date, ms: number) => ({
  from: addMs(instant, -ms),
  to: addMs(instant, ms),
});

/** The total change of each counter of a card. */
class CounterChanges {
  readonly #byCounter = new Map<string, CounterChange>();

  add(windows: Windows, amount: number): void {
    for (const [period, startsOn] of Object.entries(windowStarts(windows))) {
      const counter = `${period} ${startsOn}`;
      const before = this.#byCounter.get(counter)?.amount ?? 0;
      this.#byCounter.set(counter, { period, startsOn, amount: before + amount });
    }
  }

  list(): CounterChange[] {
    return [...this.#byCounter.values()].filter(({ amount }) => amount !== 0);
  }
}
