import type { TestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import type { LimitInterval } from "../authorizations/rules/decide.ts";
import type { CardStatus } from "../ports.ts";

/** A change of a card or an event of its ledger, numbered in the order in which it took the card's lock. */
export interface CardChange {
  sequence: number;
  /** An event of the ledger, or null for a change of status, policy or time zone. */
  eventId: string | null;
  status: CardStatus;
  version: number;
  limit: number | null;
  interval: LimitInterval | null;
  timeZone: string;
}

/**
 * Makes the database number all changes of cards. A decision and everything it depends on are stored under the lock on
 * the card's row, and the trigger draws the number under the lock, so the numbers are the order in which changes took
 * effect. Declined purchases change nothing, so their numbers may be out of order.
 */
export async function recordHistory({ db }: TestPurser): Promise<void> {
  await db.execute(sql`CREATE SEQUENCE turns`);
  await db.execute(sql`
    CREATE TABLE happenings (turn bigint, card_id text, event_id text, status text, version int, spending_limit bigint,
      limit_interval text, time_zone text)`);
  await db.execute(sql`
    CREATE FUNCTION record_happening() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE of_card text; of_event text;
    BEGIN
      IF TG_TABLE_NAME = 'cards' THEN of_card := NEW.id; ELSE of_card := NEW.card_id; of_event := NEW.id; END IF;
      INSERT INTO happenings
      SELECT nextval('turns'), card.id, of_event, card.status, card.version, spending_limit, limit_interval, time_zone
      FROM cards card
      JOIN card_policies policy ON policy.organization_id = card.organization_id AND policy.id = card.policy_id
      JOIN organizations organization ON organization.id = card.organization_id
      WHERE card.id = of_card;
      RETURN NULL;
    END $$`);
  for (const [table, happening] of [
    ["cards", "UPDATE"],
    ["card_events", "INSERT"],
  ]) {
    await db.execute(sql`
      CREATE TRIGGER record_happening AFTER ${sql.raw(happening!)} ON ${sql.identifier(table!)} FOR EACH ROW
      EXECUTE FUNCTION record_happening()`);
  }
}

/** The committed changes of a card, in order. */
export async function historyOf({ db }: TestPurser, cardId: string): Promise<CardChange[]> {
  const rows = await db.execute(sql`
    SELECT turn::int AS sequence, event_id AS "eventId", status, version, spending_limit::float8 AS limit,
      limit_interval AS interval, time_zone AS "timeZone"
    FROM happenings WHERE card_id = ${cardId} ORDER BY turn`);
  return rows as never;
}
