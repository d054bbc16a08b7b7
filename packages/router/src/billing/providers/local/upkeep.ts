import type { LocalParts } from "./subscriptions.ts";
import { purgeCheckouts } from "./store/checkouts.ts";
import { purgePortals } from "./store/portals.ts";

export { tick } from "./subscriptions.ts";

/** Deletes the ways in that ended before this instant: portals, and checkouts that nobody paid for. */
export async function purge({ db }: LocalParts, before: Date): Promise<void> {
  await purgePortals(db, before);
  await purgeCheckouts(db, before);
}
