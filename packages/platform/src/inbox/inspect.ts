import { dayMs, errorText, redact } from "@purser/core";
import { type Executor, deleteInBatches, webhookDeliveries, webhookEvents } from "@purser/db";
import { type SQL, and, desc, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { type Keyring, type SealContext, sealedIn, unseal } from "../secrets.ts";
import type { WebhookKey } from "./receiver.ts";

export type InboxStatus = (typeof webhookDeliveries.$inferSelect)["status"];

/** A webhook event as a list shows it to an operator: without its body. */
export interface InboxEntry extends WebhookKey {
  type: string;
  status: InboxStatus;
  attempts: number;
  lastError: string | null;
  receivedAt: Date;
  updatedAt: Date;
}

interface Filter {
  area?: WebhookKey["area"] | undefined;
  provider?: string | undefined;
  status?: InboxStatus | undefined;
  /** The last entry of the previous page. */
  after?: Pick<InboxEntry, "receivedAt" | "provider" | "eventId"> | undefined;
  limit: number;
}

/** Lists events, newest first. */
export async function listWebhooks(db: Executor, filter: Filter): Promise<InboxEntry[]> {
  const { area, provider, status, after, limit } = filter;
  const position = sql`(${webhookEvents.receivedAt}, ${webhookEvents.provider}, ${webhookEvents.eventId})`;
  return select(db)
    .where(
      and(
        area && eq(webhookEvents.area, area),
        provider === undefined ? undefined : eq(webhookEvents.provider, provider),
        status && eq(webhookDeliveries.status, status),
        after &&
          sql`${position} < (${after.receivedAt.toISOString()}::timestamptz, ${after.provider}, ${after.eventId})`,
      ),
    )
    .orderBy(desc(webhookEvents.receivedAt), desc(webhookEvents.provider), desc(webhookEvents.eventId))
    .limit(limit);
}

/** Finds one event, without its body. */
export async function findWebhook(db: Executor, key: WebhookKey): Promise<InboxEntry | undefined> {
  const [entry] = await select(db).where(isDeliveryOf(key));
  return entry;
}

/** Finds one event with its body, in which tokens are masked; null if there is no such event. */
export async function showWebhook(
  db: Executor,
  keys: Keyring,
  key: WebhookKey,
): Promise<(InboxEntry & { body: string }) | null> {
  const entry = await findWebhook(db, key);
  const [sealed] = await db
    .select({ body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .where(isDeliveryOf(key));
  if (entry === undefined || sealed === undefined) return null;
  return { ...entry, body: readable(keys, sealed.body, key) };
}

function select(db: Executor) {
  return db
    .select({
      area: webhookEvents.area,
      provider: webhookEvents.provider,
      eventId: webhookEvents.eventId,
      type: webhookEvents.type,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      lastError: webhookDeliveries.lastError,
      receivedAt: webhookEvents.receivedAt,
      updatedAt: webhookDeliveries.updatedAt,
    })
    .from(webhookEvents)
    .innerJoin(webhookDeliveries, isDeliveryOfEvent);
}

function readable(keys: Keyring, body: string, key: WebhookKey): string {
  try {
    return redact(unseal(keys, body, bodyContext(key)));
  } catch (error) {
    return `(unreadable: ${errorText(error)})`;
  }
}

/** Counts the events that are pending or dead. */
export function countInbox(
  db: Executor,
): Promise<{ area: string; provider: string; status: string; value: number }[]> {
  return db.execute(sql`
    SELECT area, provider, lower(status) AS status, count(*)::int AS value
    FROM ${webhookDeliveries} WHERE status IN ('PENDING', 'DEAD') GROUP BY 1, 2, 3`);
}

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

/** The condition that joins an event with its delivery. */
export const isDeliveryOfEvent = and(
  eq(webhookDeliveries.area, webhookEvents.area),
  eq(webhookDeliveries.provider, webhookEvents.provider),
  eq(webhookDeliveries.eventId, webhookEvents.eventId),
);

/** The condition that selects the row of an event. */
export function isDeliveryOf({ area, provider, eventId }: WebhookKey): SQL | undefined {
  return and(
    eq(webhookDeliveries.area, area),
    eq(webhookDeliveries.provider, provider),
    eq(webhookDeliveries.eventId, eventId),
  );
}

/** The context in which an event's body is sealed. */
export function bodyContext({ area, provider, eventId }: WebhookKey): SealContext {
  return sealedIn(webhookDeliveries.body, [area, provider, eventId]);
}
