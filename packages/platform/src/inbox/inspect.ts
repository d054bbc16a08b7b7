import { type Executor, webhookDeliveries, webhookEvents } from "@purser/db";
import { and, desc, eq, sql } from "drizzle-orm";
import { type Keyring, unseal } from "../secrets.ts";
import { errorText, redact } from "@purser/core";
import { type WebhookKey, bodyContext, theDelivery } from "./delivery.ts";

export type InboxStatus = (typeof webhookDeliveries.$inferSelect)["status"];

/** A webhook event as an operator sees it in a list: nothing of its body. */
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
  /** Goes on after this one. */
  after?: Pick<InboxEntry, "receivedAt" | "provider" | "eventId"> | undefined;
  limit: number;
}

/** The newest events first. */
export async function listInbox(db: Executor, filter: Filter): Promise<InboxEntry[]> {
  const { area, provider, status, after, limit } = filter;
  const place = sql`(${webhookEvents.receivedAt}, ${webhookEvents.provider}, ${webhookEvents.eventId})`;
  return select(db)
    .where(
      and(
        area && eq(webhookEvents.area, area),
        provider === undefined ? undefined : eq(webhookEvents.provider, provider),
        status && eq(webhookDeliveries.status, status),
        after &&
          sql`${place} < (${after.receivedAt.toISOString()}::timestamptz, ${after.provider}, ${after.eventId})`,
      ),
    )
    .orderBy(desc(webhookEvents.receivedAt), desc(webhookEvents.provider), desc(webhookEvents.eventId))
    .limit(limit);
}

/** One event, without its body; undefined where there is none. */
export async function findInbox(db: Executor, key: WebhookKey): Promise<InboxEntry | undefined> {
  const [entry] = await select(db).where(theDelivery(key));
  return entry;
}

/** One event with its body, tokens masked; null where there is none. */
export async function showInbox(
  db: Executor,
  keys: Keyring,
  key: WebhookKey,
): Promise<(InboxEntry & { body: string }) | null> {
  const entry = await findInbox(db, key);
  const [sealed] = await db
    .select({ body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .where(theDelivery(key));
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
    .innerJoin(
      webhookDeliveries,
      and(
        eq(webhookEvents.area, webhookDeliveries.area),
        eq(webhookEvents.provider, webhookDeliveries.provider),
        eq(webhookEvents.eventId, webhookDeliveries.eventId),
      ),
    );
}

function readable(keys: Keyring, body: string, key: WebhookKey): string {
  try {
    return redact(unseal(keys, body, bodyContext(key)));
  } catch (error) {
    return `(unreadable: ${errorText(error)})`;
  }
}

/** Counts the events that are not applied. */
export function countInbox(
  db: Executor,
): Promise<{ area: string; provider: string; status: string; value: number }[]> {
  return db.execute(sql`
    SELECT area, provider, lower(status) AS status, count(*)::int AS value
    FROM ${webhookDeliveries} WHERE status IN ('PENDING', 'DEAD') GROUP BY 1, 2, 3`);
}
