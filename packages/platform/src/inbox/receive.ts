import { Id, Problem } from "@purser/core";
import { type Transaction, commitOnAllServers, inboxStates, inboxEvents } from "@purser/db";
import { sql } from "drizzle-orm";
import { createBatcher, perPool } from "../batcher.ts";
import type { Platform } from "../context.ts";
import { webhookJobOf } from "../jobs/platform-jobs.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { seal } from "../secrets.ts";
import { retryTransaction } from "../retry-transaction.ts";
import { countApplied, recordAttempt } from "./apply.ts";
import { bodyContext } from "./inspect.ts";
import type {
  RefusedWebhook,
  WebhookResponse,
  WebhookEffect,
  WebhookEvent,
  WebhookKey,
  WebhookReceiver,
} from "./receiver.ts";

/** The outcome of a webhook request. Accepted and duplicate events are stored, and get a 2xx response. */
export type WebhookReceipt =
  | { outcome: "accepted" | "duplicate" }
  | { outcome: "answered"; response: WebhookResponse }
  | RefusedWebhook;

/**
 * Receives one webhook request: verifies it and stores the event once, in the transaction that also applies it or
 * enqueues the job that does. Send a 2xx response only after this function returns: from then on the event is safe.
 * `sender` is the network of the client's address.
 */
export async function receiveWebhook(
  platform: Platform,
  receiver: WebhookReceiver,
  body: Buffer,
  headers: Headers,
  sender?: string,
): Promise<WebhookReceipt> {
  const receipt = await verifyAndStore(platform, receiver, { body, headers, sender });
  const { area, provider } = receiver;
  platform.meter.count(platformMetrics.webhooksReceived, { area, provider, outcome: receipt.outcome });
  return receipt;
}

interface WebhookRequest {
  body: Buffer;
  headers: Headers;
  sender: string | undefined;
}

async function verifyAndStore(
  platform: Platform,
  receiver: WebhookReceiver,
  request: WebhookRequest,
): Promise<WebhookReceipt> {
  const receivedAt = platform.clock.now();
  const verified = await verify(receiver, request, receivedAt);
  if (verified.outcome === "refused") return verified;
  const { eventId, type } = verified;
  if (eventId === "" || !Id.safeParse(eventId).success || !Id.safeParse(type).success) {
    return { outcome: "refused", reason: "malformed" };
  }
  const { area, provider } = receiver;
  const event = { area, provider, eventId, type, body: request.body.toString("utf8"), receivedAt };
  const response = await receiver.respond?.(event);
  if (response) return { outcome: "answered", response };
  return { outcome: await storeInBatch(platform.db)({ platform, receiver, event }) };
}

/** Throws UNAVAILABLE if the provider's keys cannot be read. The event is not accepted, and the provider sends it again. */
async function verify(receiver: WebhookReceiver, { body, headers, sender }: WebhookRequest, now: Date) {
  try {
    return await receiver.verify(body, headers, now, sender);
  } catch (error) {
    throw new Problem("UNAVAILABLE", { cause: error });
  }
}

interface IncomingWebhook {
  platform: Platform;
  receiver: WebhookReceiver;
  event: WebhookEvent;
}

type Stored = "accepted" | "duplicate";

/**
 * Providers wait at least five seconds for a response. An event that waits longer fails with UNAVAILABLE, and the provider
 * repeats it.
 */
const maxWaitMs = 4000;

/**
 * Stores an event together with those that arrive while another batch is written: a burst costs few commits. If one of them
 * fails, each is stored by itself, and only that one fails.
 */
const storeInBatch = perPool(() => createBatcher({ run: store, maxBatchSize: 100, maxWaitMs }));

async function store(incoming: readonly IncomingWebhook[]): Promise<Stored[]> {
  const { platform } = incoming[0]!;
  // An event that is in the batch twice is stored once: only its first delivery is accepted.
  const distinct = new Map(incoming.toReversed().map((webhook) => [eventKeyOf(webhook.event), webhook]));
  // Sorted, so that two processes that receive the same events do not deadlock.
  const sorted = [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const effects = await retryTransaction(() =>
    platform.db.transaction((transaction) =>
      storeNew(
        platform,
        transaction,
        sorted.map(([, webhook]) => webhook),
      ),
    ),
  );
  for (const { key, effect } of effects.values()) if (effect !== null) countApplied(platform, key, effect);
  return incoming.map((webhook) => {
    const key = eventKeyOf(webhook.event);
    return distinct.get(key) === webhook && effects.has(key) ? "accepted" : "duplicate";
  });
}

/** Stores the new events and applies them, or enqueues their jobs. Returns the effect of each; null if a job has it. */
async function storeNew(
  platform: Platform,
  transaction: Transaction,
  incoming: readonly IncomingWebhook[],
): Promise<Map<string, { key: WebhookKey; effect: WebhookEffect | null }>> {
  const stored = new Set((await insertNew(platform, transaction, incoming)).map(eventKeyOf));
  const effects = new Map<string, { key: WebhookKey; effect: WebhookEffect | null }>();
  const later: WebhookKey[] = [];
  for (const { receiver, event } of incoming.filter((webhook) => stored.has(eventKeyOf(webhook.event)))) {
    const key = { area: event.area, provider: event.provider, eventId: event.eventId };
    const effect = (await receiver.applyOnReceipt?.(transaction, event)) ?? null;
    if (effect === null) later.push(key);
    else await recordAttempt(transaction, key, { status: effect, attempts: 1, updatedAt: event.receivedAt });
    effects.set(eventKeyOf(key), { key, effect });
  }
  for (const [job, keys] of Map.groupBy(later, webhookJobOf))
    await platform.outbox.enqueueAll(transaction, job, keys);
  // What applies an event at once writes tables of its organization.
  if (effects.size > later.length) await commitOnAllServers(platform.db, transaction);
  return effects;
}

/** Inserts the events that are new, each pending and with its body sealed. Returns their keys. */
function insertNew(
  { settings }: Platform,
  transaction: Transaction,
  incoming: readonly IncomingWebhook[],
): Promise<WebhookKey[]> {
  const rows = incoming.map(({ event }) => ({
    area: event.area,
    provider: event.provider,
    event_id: event.eventId,
    type: event.type,
    body: seal(settings.encryptionKeys, event.body, bodyContext(event)),
    received_at: event.receivedAt,
  }));
  return transaction.execute<WebhookKey & Record<string, unknown>>(sql`
    WITH arrived AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS arrived (area text, provider text, event_id text, type text, body text, received_at timestamptz)
    ), stored AS (
      INSERT INTO ${inboxEvents} (area, provider, event_id, type, received_at)
      SELECT area, provider, event_id, type, received_at FROM arrived
      ON CONFLICT DO NOTHING
      RETURNING area, provider, event_id
    )
    INSERT INTO ${inboxStates} (area, provider, event_id, body, status, updated_at)
    SELECT area, provider, event_id, body, 'PENDING', received_at FROM stored JOIN arrived USING (area, provider, event_id)
    RETURNING area, provider, event_id AS "eventId"`);
}

const eventKeyOf = ({ area, provider, eventId }: WebhookKey) => JSON.stringify([area, provider, eventId]);
