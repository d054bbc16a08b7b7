import type { HousekeepingTask, Platform } from "@purser/platform";
import { deleteEventsBefore } from "./store.ts";
import { deleteDeliveriesBefore, failDeliveriesOfNoEndpoint } from "./webhook-endpoints/deliveries/store.ts";

const hourMs = 60 * 60 * 1000;

/** Hourly: events and their deliveries go when no valid cursor is before them any more. */
export function eventTasks({
  db,
  clock,
  settings,
}: Pick<Platform, "db" | "clock" | "settings">): HousekeepingTask[] {
  // An event is in the feed once its transaction has committed, which may be a little later than its time says.
  const keptMs = (settings.eventRetentionDays * 24 + 1) * hourMs;
  const oldest = () => new Date(clock.now().getTime() - keptMs);
  return [
    () => deleteDeliveriesBefore(db, oldest()),
    () => deleteEventsBefore(db, oldest()),
    () => failDeliveriesOfNoEndpoint(db),
  ];
}
