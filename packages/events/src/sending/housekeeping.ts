import type { HousekeepingTask } from "@purser/platform";
import { deleteDeliveriesBefore, failDeliveriesOfNoEndpoint } from "../webhook-endpoints/deliveries/store.ts";
import type { SendingPlatform } from "./context.ts";

/** Hourly: deliveries go with their events. */
export function webhookTasks({ db, clock, settings }: SendingPlatform): HousekeepingTask[] {
  const keptMs = settings.eventRetentionDays * 24 * 60 * 60 * 1000;
  return [
    () => deleteDeliveriesBefore(db, new Date(clock.now().getTime() - keptMs)),
    () => failDeliveriesOfNoEndpoint(db),
  ];
}
