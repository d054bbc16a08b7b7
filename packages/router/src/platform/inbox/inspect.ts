import { type Executor, webhookDeliveries, webhookEvents } from "@purser/db";
import { and, desc, eq } from "drizzle-orm";
import { type Keyring, unseal } from "../secrets.ts";
import { errorText, redact } from "../secrets/redact.ts";
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
  status?: InboxStatus | undefined;
  limit: number;
}

/** The newest events first. */
export async function listInbox(db: Executor, { status, limit }: Filter): Promise<InboxEntry[]> {
  return select(db)
    .where(status && eq(webhookDeliveries.status, status))
    .orderBy(desc(webhookEvents.receivedAt), desc(webhookEvents.eventId))
    .limit(limit);
}

/** One event with its body, tokens masked; null where there is none. */
export async function showInbox(
  db: Executor,
  keys: Keyring,
  key: WebhookKey,
): Promise<(InboxEntry & { body: string }) | null> {
  const [entry] = await select(db).where(theDelivery(key));
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
