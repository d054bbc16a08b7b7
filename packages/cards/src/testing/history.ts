import { type CardLimit, cardLimitsOf } from "@purser/core";
import { type TestPurser, createTestSequence, createTestTable, changeTestTrigger } from "@purser/testing";
import { sql } from "drizzle-orm";
import type { CardStatus } from "../ports.ts";

/** A change of a card or its policy, or an entry of its ledger, numbered in the order in which it took its lock. */
export interface CardChange {
  sequence: number;
  /** An entry of the ledger, or null for a change of status, policy or time zone. */
  entryId: string | null;
  status: CardStatus;
  version: number;
  limits: CardLimit[];
  timeZone: string;
  /** The organization's setting. A decision does not lock it. */
  partialApprovals: boolean;
}

/**
 * Makes the database number all changes of cards. A decision and everything it depends on are stored under the locks on
 * the card's row and its policy's, and the trigger draws the number under them, so the numbers are the order in which
 * changes took effect. Declined purchases change nothing, so their numbers may be out of order.
 */
export async function recordHistory({ db }: TestPurser): Promise<void> {
  await createTestSequence(db, "change_numbers");
  await createTestTable(
    db,
    "card_changes",
    `organization_id text COLLATE "C" NOT NULL, number bigint, card_id text, entry_id text, status text, version int,
      spending_limit bigint, limit_interval text, further_limits jsonb, time_zone text, partial_approvals boolean`,
  );
  // The first argument names the table: a shard has a name of its own.
  await db.execute(sql`
    CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql
    SET citus.allow_nested_distributed_execution = on SET plan_cache_mode = force_custom_plan AS $$
    DECLARE of_card text; of_policy text; of_entry text; change record;
    BEGIN
      IF TG_ARGV[0] = 'cards' THEN of_card := NEW.id;
      ELSIF TG_ARGV[0] = 'card_policies' THEN of_policy := NEW.id;
      ELSE of_card := NEW.card_id; of_entry := NEW.id; END IF;
      FOR change IN
        SELECT card.id, card.status, card.version, spending_limit, limit_interval, further_limits, card.time_zone,
          partial_approvals
        FROM cards card
        JOIN organizations organization ON organization.id = card.organization_id
        JOIN card_policies policy ON policy.organization_id = card.organization_id AND policy.id = card.policy_id
        WHERE card.organization_id = NEW.organization_id AND (card.id = of_card OR policy.id = of_policy)
      LOOP
        INSERT INTO card_changes VALUES (NEW.organization_id, nextval('change_numbers'), change.id, of_entry,
          change.status, change.version, change.spending_limit, change.limit_interval, change.further_limits,
          change.time_zone, change.partial_approvals);
      END LOOP;
      RETURN NULL;
    END $$`);
  for (const [table, operation] of [
    ["cards", "UPDATE"],
    ["card_policies", "UPDATE"],
    ["card_events", "INSERT"],
  ]) {
    await changeTestTrigger(
      db,
      sql`CREATE TRIGGER record_change AFTER ${sql.raw(operation!)} ON ${sql.identifier(table!)} FOR EACH ROW
        EXECUTE FUNCTION record_change(${sql.raw(table!)})`,
    );
  }
}

/** The committed changes of a card, in order. */
export async function historyOf({ db }: TestPurser, cardId: string): Promise<CardChange[]> {
  const rows = await db.execute(sql`
    SELECT number::int AS sequence, entry_id AS "entryId", status, version, spending_limit::float8 AS "spendingLimit",
      limit_interval AS "limitInterval", further_limits AS "furtherLimits", time_zone AS "timeZone",
      partial_approvals AS "partialApprovals"
    FROM card_changes WHERE card_id = ${cardId} ORDER BY number`);
  const changes = rows as never as (CardChange & Parameters<typeof cardLimitsOf>[0])[];
  return changes.map((change) => ({ ...change, limits: cardLimitsOf(change) }));
}
