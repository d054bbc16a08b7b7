import { addMs, dayMs, errorText, redact } from "@purser/core";
import { type Executor, deleteInBatches, inboxStates, inboxEvents } from "@purser/db";
import { type SQL, and, desc, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { type Keyring, type SealContext, sealedIn, unseal } from "../secrets.ts";
import type { WebhookKey } from "./receiver.ts";

export type InboxStatus = (typeof inboxStates.$inferSelect)["status"];

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
  const position = sql`(${inboxEvents.receivedAt}, ${inboxEvents.provider}, ${inboxEvents.eventId})`;
  return select(db)
    .where(
      and(
        area && eq(inboxEvents.area, area),
        provider === undefined ? undefined : eq(inboxEvents.provider, provider),
        status && eq(inboxStates.status, status),
        after &&
          sql`${position} < (${after.receivedAt.toISOString()}::timestamptz, ${after.provider}, ${after.eventId})`,
      ),
    )
    .orderBy(desc(inboxEvents.receivedAt), desc(inboxEvents.provider), desc(inboxEvents.eventId))
    .limit(limit);
}

/** Finds one event, without its body. */
export async function findWebhook(db: Executor, key: WebhookKey): Promise<InboxEntry | undefined> {
  const [entry] = await select(db).where(isStateOf(key));
  return entry;
}

/** Finds one event with its body, in which tokens are masked; null if there is no such event. */
export async function showWebhook(
  db: Executor,
  keys: Keyring,
  key: WebhookKey,
): Promise<(InboxEntry & { body: string }) | null> {
  const entry = await findWebhook(db, key);
  const [sealed] = await db.select({ body: inboxStates.body }).from(inboxStates).where(isStateOf(key));
  if (entry === undefined || sealed === undefined) return null;
  return { ...entry, body: readable(keys, sealed.body, key) };
}

function select(db: Executor) {
  return db
    .select({
      area: inboxEvents.area,
      provider: inboxEvents.provider,
      eventId: inboxEvents.eventId,
      type: inboxEvents.type,
      status: inboxStates.status,
      attempts: inboxStates.attempts,
      lastError: inboxStates.lastError,
      receivedAt: inboxEvents.receivedAt,
      updatedAt: inboxStates.updatedAt,
    })
    .from(inboxEvents)
    .innerJoin(inboxStates, isStateOfEvent);
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
    FROM ${inboxStates} WHERE status IN ('PENDING', 'DEAD') GROUP BY 1, 2, 3`);
}

/**
 * Deletes the events that were applied or ignored longer ago than the retention. Pending and dead events stay until they
 * are applied or discarded.
 */
export async function purgeWebhooks({ db, clock, settings }: Platform): Promise<void> {
  const before = addMs(clock.now(), -settings.webhookRetentionDays * dayMs);
  const isSettled = inArray(inboxStates.status, ["APPLIED", "IGNORED"]);
  await deleteInBatches(db, inboxStates, and(isSettled, lt(inboxStates.updatedAt, before)));
  const state = db.select().from(inboxStates).where(isStateOfEvent);
  await deleteInBatches(db, inboxEvents, and(lt(inboxEvents.receivedAt, before), notExists(state)));
}

/** The condition that joins an event with its state. */
export const isStateOfEvent = and(
  eq(inboxStates.area, inboxEvents.area),
  eq(inboxStates.provider, inboxEvents.provider),
  eq(inboxStates.eventId, inboxEvents.eventId),
);

/** The condition that selects the row of an event. */
export function isStateOf({ area, provider, eventId }: WebhookKey): SQL | undefined {
  return and(
    eq(inboxStates.area, area),
    eq(inboxStates.provider, provider),
    eq(inboxStates.eventId, eventId),
  );
}

/** The context in which an event's body is sealed. */
export function bodyContext({ area, provider, eventId }: WebhookKey): SealContext {
  return sealedIn(inboxStates.body, [area, provider, eventId]);
}
