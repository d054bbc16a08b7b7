import type { HousekeepingTask, Platform } from "@purser/platform";
import { keptSince } from "./feed/retention.ts";
import { deleteEventsBefore } from "./store.ts";
import { deleteDeliveriesBefore, failDeliveriesOfNoEndpoint } from "./webhook-endpoints/deliveries/store.ts";

/** Hourly: events and their deliveries go when no valid cursor is before them any more. */
export function eventTasks(platform: Pick<Platform, "db" | "clock" | "settings">): HousekeepingTask[] {
  const { db } = platform;
  const oldest = () => keptSince(platform);
  return [
    () => deleteDeliveriesBefore(db, oldest()),
    () => deleteEventsBefore(db, oldest()),
    () => failDeliveriesOfNoEndpoint(db),
  ];
}
