import { addMs } from "@purser/core";
import type { Platform } from "@purser/platform";
import { longestWaitsMs, usualWaitsMs } from "./rules.ts";
import { findOverlongWaits, shortenWaitsOf } from "./store/overlong-waits.ts";

/**
 * Shortens the waits of deliveries that are longer than any wait: the clock stepped back since they began, and their next attempt
 * would otherwise be late by as much.
 */
export async function shortenOverlongWaits({ db, clock }: Pick<Platform, "db" | "clock">): Promise<void> {
  const timesAfter = (waitsMs: readonly number[]) => {
    const now = clock.now();
    return waitsMs.map((wait) => addMs(now, wait));
  };
  const latest = timesAfter(longestWaitsMs);
  for (const endpoint of await findOverlongWaits(db, latest)) {
    const times = { latest, usual: timesAfter(usualWaitsMs) };
    const shorten = () => db.transaction((transaction) => shortenWaitsOf(transaction, endpoint, times));
    while (await shorten());
  }
}
