import { addMs, dayMs, errorText } from "@purser/core";
import { type Executor, type Transaction, inboxStates, inboxEvents } from "@purser/db";
import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { type JobInfo, PermanentFailure } from "../jobs/definition.ts";
import { webhookJobOf } from "../jobs/platform-jobs.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { unseal } from "../secrets.ts";
import { bodyContext, isStateOf, isStateOfEvent } from "./inspect.ts";
import type { WebhookEvent, WebhookKey, WebhookReceiver } from "./receiver.ts";

type InboxState = typeof inboxStates.$inferSelect;

/**
 * Applies a stored event until it has succeeded: the handler of `webhookJobs`. The job runs again if this throws. A process
 * that dies before it records the outcome applies the event again, so `apply` of a receiver must be repeatable.
 */
export async function applyWebhook(
  platform: Platform,
  receivers: readonly WebhookReceiver[],
  key: WebhookKey,
  job: JobInfo,
): Promise<void> {
  const { db, clock } = platform;
  // An earlier attempt applied the event and died before its job ended, or a replay was faster.
  if (!(await claim(platform, key))) return;
  try {
    const event = await load(platform, key);
    const status = await configuredReceiver(receivers, key).apply(event);
    await recordAttempt(db, key, { status, lastError: null, updatedAt: clock.now() });
    countApplied(platform, key, status);
  } catch (error) {
    const isDead = job.last || error instanceof PermanentFailure;
    const status = isDead ? "DEAD" : "PENDING";
    await recordAttempt(db, key, { status, lastError: errorText(error), updatedAt: clock.now() });
    countApplied(platform, key, isDead ? "DEAD" : "FAILED");
    throw error;
  }
}

/** Counts one attempt by its outcome. */
export function countApplied(
  { meter }: Pick<Platform, "meter">,
  { area, provider }: WebhookKey,
  outcome: "APPLIED" | "IGNORED" | "FAILED" | "DEAD",
): void {
  meter.count(platformMetrics.webhooksApplied, { area, provider, outcome: outcome.toLowerCase() });
}

/**
 * Counts the attempt before it starts, so that an attempt that kills its process counts too. A dead event is claimed
 * as well: its job was replayed in the outbox.
 */
async function claim({ db, clock }: Platform, key: WebhookKey): Promise<boolean> {
  const claimed = await db
    .update(inboxStates)
    .set({ status: "PENDING", attempts: sql`${inboxStates.attempts} + 1`, updatedAt: clock.now() })
    .where(and(isStateOf(key), inArray(inboxStates.status, ["PENDING", "DEAD"])))
    .returning({ eventId: inboxStates.eventId });
  return claimed.length > 0;
}

async function load({ db, settings }: Platform, key: WebhookKey): Promise<WebhookEvent> {
  const [row] = await db
    .select({ type: inboxEvents.type, receivedAt: inboxEvents.receivedAt, body: inboxStates.body })
    .from(inboxStates)
    .innerJoin(inboxEvents, isStateOfEvent)
    .where(isStateOf(key));
  if (row === undefined) throw new PermanentFailure("The event no longer exists");
  const { type, receivedAt, body } = row;
  return { ...key, type, receivedAt, body: unseal(settings.encryptionKeys, body, bodyContext(key)) };
}

/** Returns the receiver of a provider's events. Throws if the provider is not configured. */
export function configuredReceiver(
  receivers: readonly WebhookReceiver[],
  { area, provider }: Pick<WebhookKey, "area" | "provider">,
): WebhookReceiver {
  const receiver = receivers.find((one) => one.area === area && one.provider === provider);
  if (receiver === undefined) throw new Error(`No provider ${provider} is configured for ${area}`);
  return receiver;
}

/** Records the outcome of an attempt. */
export async function recordAttempt(
  db: Executor,
  key: WebhookKey,
  change: Pick<InboxState, "status" | "updatedAt"> & Partial<Pick<InboxState, "attempts" | "lastError">>,
): Promise<void> {
  await db
    .update(inboxStates)
    .set(change)
    // A slow attempt must not undo the outcome of a later one.
    .where(and(isStateOf(key), eq(inboxStates.status, "PENDING")));
}

/** Applies an event again, whatever its status, with all attempts. Returns false if there is no such event. */
export async function replayWebhook(
  platform: Pick<Platform, "db" | "clock" | "outbox">,
  key: WebhookKey,
): Promise<boolean> {
  return platform.db.transaction((transaction) => replayWebhookIn(platform, transaction, key));
}

/** Replays an event as part of a larger transaction. */
export async function replayWebhookIn(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  key: WebhookKey,
): Promise<boolean> {
  const revived = await transaction
    .update(inboxStates)
    .set({ status: "PENDING", attempts: 0, updatedAt: clock.now() })
    .where(isStateOf(key))
    .returning({ eventId: inboxStates.eventId });
  if (revived.length === 0) return false;
  await outbox.enqueue(transaction, webhookJobOf(key), key);
  return true;
}

/**
 * Marks a dead event as ignored, so that it no longer raises an alert; it can still be replayed. Returns false if
 * there is no such event, or it is not dead.
 */
export async function discardWebhook(
  { db, clock }: Pick<Platform, "db" | "clock">,
  key: WebhookKey,
): Promise<boolean> {
  const discarded = await db
    .update(inboxStates)
    .set({ status: "IGNORED", updatedAt: clock.now() })
    .where(and(isStateOf(key), eq(inboxStates.status, "DEAD")))
    .returning({ eventId: inboxStates.eventId });
  return discarded.length > 0;
}

/** Marks events as dead whose process was killed in the job's last attempt: they stayed pending. */
export async function failInterruptedWebhooks({ db, clock }: Pick<Platform, "db" | "clock">): Promise<void> {
  const aDayAgo = addMs(clock.now(), -dayMs);
  await db
    .update(inboxStates)
    .set({ status: "DEAD", lastError: "The last attempt did not finish", updatedAt: clock.now() })
    .where(
      and(eq(inboxStates.status, "PENDING"), gt(inboxStates.attempts, 0), lt(inboxStates.updatedAt, aDayAgo)),
    );
}
