import { webhookDeliveries, webhookEvents } from "@purser/db";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { type JobInfo, PermanentFailure } from "../jobs/definition.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { unseal } from "../secrets.ts";
import { errorText } from "@purser/core";
import { type WebhookKey, bodyContext, theDelivery } from "./delivery.ts";
import type { WebhookEvent, WebhookReceiver } from "./receiver.ts";

/** One attempt at a stored event: the handler of the job `webhooks.apply`. What it throws, makes the job run again. */
export async function applyWebhook(
  platform: Platform,
  receivers: readonly WebhookReceiver[],
  key: WebhookKey,
  job: JobInfo,
): Promise<void> {
  const claimed = await claim(platform, key);
  // Done by an earlier attempt that died before it could say so, or by a replay.
  if (!claimed) return;
  try {
    const event = await load(platform, key);
    const status = await receiverOf(receivers, key).apply(event);
    await record(platform, key, { status, lastError: null });
    measure(platform, key, status);
  } catch (error) {
    const dead = job.last || error instanceof PermanentFailure;
    await record(platform, key, { status: dead ? "DEAD" : "PENDING", lastError: errorText(error) });
    measure(platform, key, dead ? "DEAD" : "FAILED");
    throw error;
  }
}

function measure(
  { meter }: Platform,
  { area, provider }: WebhookKey,
  end: "APPLIED" | "IGNORED" | "FAILED" | "DEAD",
): void {
  meter.count(platformMetrics.webhooksApplied, { area, provider, outcome: end.toLowerCase() });
}

/**
 * Counts the attempt before it begins, so that one that kills its process counts, too. A dead event whose job runs
 * all the same was replayed in the outbox.
 */
async function claim({ db, clock }: Platform, key: WebhookKey): Promise<boolean> {
  const claimed = await db
    .update(webhookDeliveries)
    .set({ status: "PENDING", attempts: sql`${webhookDeliveries.attempts} + 1`, updatedAt: clock.now() })
    .where(and(theDelivery(key), inArray(webhookDeliveries.status, ["PENDING", "DEAD"])))
    .returning({ eventId: webhookDeliveries.eventId });
  return claimed.length > 0;
}

async function load({ db, settings }: Platform, key: WebhookKey): Promise<WebhookEvent> {
  const [row] = await db
    .select({ type: webhookEvents.type, receivedAt: webhookEvents.receivedAt, body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .innerJoin(
      webhookEvents,
      and(
        eq(webhookEvents.area, webhookDeliveries.area),
        eq(webhookEvents.provider, webhookDeliveries.provider),
        eq(webhookEvents.eventId, webhookDeliveries.eventId),
      ),
    )
    .where(theDelivery(key));
  if (row === undefined) throw new PermanentFailure("The event is gone");
  const { type, receivedAt, body } = row;
  return { ...key, type, receivedAt, body: unseal(settings.encryptionKeys, body, bodyContext(key)) };
}

function receiverOf(receivers: readonly WebhookReceiver[], { area, provider }: WebhookKey): WebhookReceiver {
  const receiver = receivers.find((one) => one.area === area && one.provider === provider);
  if (receiver === undefined) throw new Error(`No provider ${provider} is configured for ${area}`);
  return receiver;
}

interface Outcome {
  status: "PENDING" | "APPLIED" | "IGNORED" | "DEAD";
  lastError: string | null;
}

async function record({ db, clock }: Platform, key: WebhookKey, outcome: Outcome): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ ...outcome, updatedAt: clock.now() })
    // A slow attempt must not undo what a later one has ended.
    .where(and(theDelivery(key), eq(webhookDeliveries.status, "PENDING")));
}
