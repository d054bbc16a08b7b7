import { type Database, type Transaction, webhookDeliveries, webhookEvents } from "@purser/db";
import { sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { createBatcher } from "../batcher.ts";
import { platformJobs } from "../jobs/platform-jobs.ts";
import { seal } from "../secrets.ts";
import { type WebhookKey, bodyContext } from "./delivery.ts";

/** An event that was believed, on its way into the inbox. */
export interface ReceivedWebhook {
  key: WebhookKey;
  type: string;
  body: string;
  receivedAt: Date;
}

type Stored = "accepted" | "duplicate";

/** Providers give up on an answer after five seconds at the earliest; until then the event need not be refused. */
const patienceMs = 4000;

const batchers = new WeakMap<Database, (arrival: ReceivedWebhook) => Promise<Stored>>();

/**
 * Stores an event once, with its body sealed and a job to apply it. Events that arrive while others are being stored are
 * stored together, in one transaction: a burst costs a few commits instead of one for each.
 */
export function accept(platform: Platform, arrival: ReceivedWebhook): Promise<Stored> {
  let door = batchers.get(platform.db);
  if (door === undefined) {
    door = createBatcher({ run: (arrivals) => store(platform, arrivals), most: 100, patienceMs });
    batchers.set(platform.db, door);
  }
  return door(arrival);
}

async function store(
  { db, settings, outbox }: Platform,
  arrivals: readonly ReceivedWebhook[],
): Promise<Stored[]> {
  // The same event twice in one batch is stored once, and is new once.
  const events = new Map(arrivals.toReversed().map((arrival) => [nameOf(arrival.key), arrival]));
  const rows = [...events]
    // In one order everywhere, so that two processes that were sent the same events do not wait for each other.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { key, type, body, receivedAt }]) => ({
      area: key.area,
      provider: key.provider,
      event_id: key.eventId,
      type,
      body: seal(settings.encryptionKeys, body, bodyContext(key)),
      received_at: receivedAt,
    }));
  const fresh = await db.transaction(async (transaction) => {
    const stored = await insertNew(transaction, rows);
    await outbox.enqueueAll(transaction, platformJobs.applyWebhook, stored);
    return new Set(stored.map(nameOf));
  });
  return arrivals.map((arrival) => {
    const name = nameOf(arrival.key);
    return events.get(name) === arrival && fresh.has(name) ? "accepted" : "duplicate";
  });
}

/** Stores those that are new, each with its delivery, and gives their keys. */
function insertNew(transaction: Transaction, rows: object[]): Promise<WebhookKey[]> {
  return transaction.execute<WebhookKey & Record<string, unknown>>(sql`
    WITH arrived AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS arrived (area text, provider text, event_id text, type text, body text, received_at timestamptz)
    ), stored AS (
      INSERT INTO ${webhookEvents} (area, provider, event_id, type, received_at)
      SELECT area, provider, event_id, type, received_at FROM arrived
      ON CONFLICT DO NOTHING
      RETURNING area, provider, event_id
    )
    INSERT INTO ${webhookDeliveries} (area, provider, event_id, body, status, updated_at)
    SELECT area, provider, event_id, body, 'PENDING', received_at FROM stored JOIN arrived USING (area, provider, event_id)
    RETURNING area, provider, event_id AS "eventId"`);
}

const nameOf = ({ area, provider, eventId }: WebhookKey) => JSON.stringify([area, provider, eventId]);
