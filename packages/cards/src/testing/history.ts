import { sql } from "drizzle-orm";
import type { TestPurser } from "@purser/testing";

/** Something that happened to a card. What took the lock on its row is numbered in the order in which it did. */
export interface Happening {
  turn: number;
  /** An event of the ledger, or null for a change of the card: of its status, its policy or its time zone. */
  eventId: string | null;
  status: "ACTIVE" | "PAUSED" | "FROZEN" | "CLOSED";
  version: number;
  limit: number | null;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | null;
  timeZone: string;
}

/**
 * Has the database number what happens to cards. A decision and whatever it depends on are kept under the lock on the
 * card's row, and the numbers are drawn while it is held: so their order is the one in which all of it took effect.
 * Only refusals, which take nothing from anybody, draw theirs at any time.
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

/** What has happened to a card, in its order. What was rolled back has not. */
export async function historyOf({ db }: TestPurser, cardId: string): Promise<Happening[]> {
  const rows = await db.execute(sql`
    SELECT turn::int AS turn, event_id AS "eventId", status, version, spending_limit::float8 AS limit,
      limit_interval AS interval, time_zone AS "timeZone"
    FROM happenings WHERE card_id = ${cardId} ORDER BY turn`);
  return rows as never;
}
