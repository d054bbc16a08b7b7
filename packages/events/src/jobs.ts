import type { HousekeepingTask, Platform } from "@purser/platform";
import type { Sweep } from "@purser/platform/jobs";
import { keptSince } from "./feed/retention.ts";
import { shortenOverlongWaits } from "./sending/overlong-waits.ts";
import { longestScheduleMs } from "./sending/rules.ts";
import { deleteEventsBefore } from "./store.ts";
import { deleteDeliveriesBefore, failDeliveriesOfNoEndpoint } from "./webhook-endpoints/deliveries/store.ts";

/**
 * Hourly: events and their deliveries go when no valid cursor is before them any more, and no delivery is still to be tried
 * again that was made when its event happened.
 */
export function eventTasks(platform: Pick<Platform, "db" | "clock" | "settings">): HousekeepingTask[] {
  const { db } = platform;
  const oldest = () => keptSince(platform, { atLeastMs: longestScheduleMs });
  return [
    () => deleteDeliveriesBefore(db, oldest()),
    () => deleteEventsBefore(db, oldest()),
    () => failDeliveriesOfNoEndpoint(db),
  ];
}

/** Every few seconds, as for what else a clock that stepped back has put off. */
export const eventSweeps = (platform: Pick<Platform, "db" | "clock">): Sweep[] => [
  () => shortenOverlongWaits(platform),
];
