import { Id } from "@purser/core";
import { type Transaction, webhookDeliveries } from "@purser/db";
import { and, eq } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { accept } from "./accept.ts";
import { type WebhookKey, theDelivery } from "./delivery.ts";
import type { RefusedWebhook, WebhookAnswer, WebhookReceiver } from "./receiver.ts";
import { platformJobs } from "../jobs/platform-jobs.ts";
import { platformMetrics } from "../platform-metrics.ts";

/** What became of a webhook request. Accepted and duplicate are answered 2xx: the event is on record. */
export type WebhookReceipt =
  | { outcome: "accepted" | "duplicate" }
  | { outcome: "answered"; answer: WebhookAnswer }
  | RefusedWebhook;

/**
 * Takes in one webhook request: verifies it, and stores the event once, with its body sealed and a job to apply it,
 * in one transaction. When this returns, the event is not lost any more; only then is it to be answered.
 */
export async function receiveWebhook(
  platform: Platform,
  receiver: WebhookReceiver,
  body: Buffer,
  headers: Headers,
): Promise<WebhookReceipt> {
  const receipt = await takeIn(platform, receiver, body, headers);
  const { area, provider } = receiver;
  platform.meter.count(platformMetrics.webhooksReceived, { area, provider, outcome: receipt.outcome });
  return receipt;
}

async function takeIn(
  platform: Platform,
  receiver: WebhookReceiver,
  body: Buffer,
  headers: Headers,
): Promise<WebhookReceipt> {
  const now = platform.clock.now();
  const verified = await receiver.verify(body, headers, now);
  if (verified.outcome === "refused") return verified;
  const { eventId, type } = verified;
  if (eventId === "" || !Id.safeParse(eventId).success || !Id.safeParse(type).success) {
    return { outcome: "refused", reason: "malformed" };
  }
  const answer = await receiver.answer?.({ type, body: body.toString("utf8") });
  if (answer) return { outcome: "answered", answer };
  const key: WebhookKey = { area: receiver.area, provider: receiver.provider, eventId };
  const arrival = { key, type, body: body.toString("utf8"), receivedAt: now };
  return { outcome: await accept(platform, arrival) };
}

/** Applies an event again, whatever became of it, with all attempts. Gives false where there is no such event. */
export async function replayWebhook(
  platform: Pick<Platform, "db" | "clock" | "outbox">,
  key: WebhookKey,
): Promise<boolean> {
  return platform.db.transaction((transaction) => replayWebhookIn(platform, transaction, key));
}

/**
 * Has a dead event count as ignored, so that nobody is told of it any more; it can still be replayed. Gives false where
 * there is no such event, or it is not dead.
 */
export async function discardWebhook(
  { db, clock }: Pick<Platform, "db" | "clock">,
  key: WebhookKey,
): Promise<boolean> {
  const discarded = await db
    .update(webhookDeliveries)
    .set({ status: "IGNORED", updatedAt: clock.now() })
    .where(and(theDelivery(key), eq(webhookDeliveries.status, "DEAD")))
    .returning({ eventId: webhookDeliveries.eventId });
  return discarded.length > 0;
}

/** Replaying as a part of a transaction that does more. */
export async function replayWebhookIn(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  key: WebhookKey,
): Promise<boolean> {
  const revived = await transaction
    .update(webhookDeliveries)
    .set({ status: "PENDING", attempts: 0, updatedAt: clock.now() })
    .where(theDelivery(key))
    .returning({ eventId: webhookDeliveries.eventId });
  if (revived.length === 0) return false;
  await outbox.enqueue(transaction, platformJobs.applyWebhook, key);
  return true;
}
