import { dayMs } from "@purser/core";
import { deleteInBatches, webhookDeliveries, webhookEvents } from "@purser/db";
import { and, inArray, lt, notExists } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { isDeliveryOfEvent } from "./inspect.ts";

/**
 * Deletes the events that were applied or ignored longer ago than the retention. Pending and dead events stay until they
 * are applied or discarded.
 */
export async function purgeWebhooks({ db, clock, settings }: Platform): Promise<void> {
  const before = new Date(clock.now().getTime() - settings.webhookRetentionDays * dayMs);
  const isSettled = inArray(webhookDeliveries.status, ["APPLIED", "IGNORED"]);
  await deleteInBatches(db, webhookDeliveries, and(isSettled, lt(webhookDeliveries.updatedAt, before)));
  const delivery = db.select().from(webhookDeliveries).where(isDeliveryOfEvent);
  await deleteInBatches(db, webhookEvents, and(lt(webhookEvents.receivedAt, before), notExists(delivery)));
}
