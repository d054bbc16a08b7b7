import { type Executor, cardCounters, cardPolicies, cards, changeAtOnce, constraintName } from "@purser/db";
import { insertingInto } from "@purser/platform";
import { eventTransactionId } from "@purser/platform/events";
import { sql } from "drizzle-orm";
import { type CardDecisions, cappedRow, uncappedRows } from "./decision-rows.ts";
import { storeDecisionsThroughCitus } from "./decisions-through-citus.ts";
import {
  insertingLedgerEntries,
  insertingFeedEvents,
  insertingTransactions,
  purchaseRows,
} from "./purchase-rows.ts";

/**
 * Stores decisions on many cards in one statement, together with what their approvals add to the counters. Returns the
 * ids of the cards that are stored. Each card is all or nothing. A card is not stored if its version or its policy's
 * changed since it was read, if the limit has been used up since, or if another transaction changes either of them. Under
 * several limits, it is also not stored if its counters changed.
 *
 * The statement locks each card's row first, so all changes to one card are ordered. The policy's row is shared: any
 * number of decisions hold it at once, and a change of the policy waits for them. The statement then raises the capped
 * counter only up to the limit. This comparison sees the row as the last holder of the lock left it; a sum that was read
 * before the lock might be stale. A statement cannot raise several counters on the condition that all of them fit, so
 * under several limits the card's row has a version of its counters, which this statement compares and increases. The
 * statement skips cards and policies that others lock, so it cannot deadlock.
 *
 * Through Citus, all cards are of one organization, which decides on the form: see `storeDecisionsThroughCitus`.
 */
export async function storeDecisions(
  db: Executor,
  decisions: readonly CardDecisions[],
  organizationId: string | null = null,
): Promise<ReadonlySet<string>> {
  if (organizationId !== null) return storeDecisionsThroughCitus(db, decisions, organizationId);
  const key = sql.raw("organization_id, card_id");
  const raised = sql`used = ${cardCounters}.used + excluded.used`;
  const insertingUncapped = insertingCounters(
    decisions.flatMap(uncappedRows),
    sql`WHERE (${key}) IN (SELECT ${key} FROM capped)
      ON CONFLICT (${key}, period, starts_on) DO UPDATE SET ${raised}`,
  );
  const rows = purchaseRows(decisions.flatMap(({ purchases }) => purchases));
  const storing = sql`
    WITH card AS MATERIALIZED (
      SELECT decided.* FROM json_to_recordset(${JSON.stringify(decisions.map(cappedRow))}::json)
        AS decided (organization_id text, card_id text, version int, counters_version int, policy_id text,
          policy_version int, approves boolean, period text, starts_on date, counted bigint, "limit" bigint),
      LATERAL (
        SELECT 1 FROM ${cards} AS one WHERE one.organization_id = decided.organization_id
          AND one.id = decided.card_id AND one.version = decided.version
          AND (decided.counters_version IS NULL OR one.counters_version = decided.counters_version)
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS locked,
      LATERAL (
        SELECT 1 FROM ${cardPolicies} AS one WHERE one.organization_id = decided.organization_id
          AND one.id = decided.policy_id AND one.version = decided.policy_version
        FOR SHARE SKIP LOCKED
      ) AS shared
    ), capped AS (
      INSERT INTO ${cardCounters} (${key}, period, starts_on, used)
      SELECT ${key}, period, starts_on, counted FROM card WHERE approves AND counted <= "limit"
      ON CONFLICT (${key}, period, starts_on) DO UPDATE SET ${raised}
      WHERE ${cardCounters}.used + excluded.used <= (SELECT "limit" FROM card
        WHERE card.organization_id = excluded.organization_id AND card.card_id = excluded.card_id)
      RETURNING ${key}
    ), uncapped AS (${insertingUncapped}), bumped AS (
      UPDATE ${cards} AS one SET counters_version = one.counters_version + 1 FROM card JOIN capped USING (${key})
      WHERE card.counters_version IS NOT NULL AND one.organization_id = card.organization_id AND one.id = card.card_id
    ), accepted AS (
      SELECT ${key} FROM capped UNION ALL SELECT ${key} FROM card WHERE NOT approves
    ), purchase AS MATERIALIZED (
      SELECT * FROM ${rows} WHERE (${key}) IN (SELECT ${key} FROM accepted)
    ), stored AS (${insertingTransactions} RETURNING id), recorded AS (${insertingLedgerEntries}),
      -- Counting waits for all rows, so the statement holds all of its locks by then.
      feed_position AS MATERIALIZED (
        SELECT ${eventTransactionId} AS id FROM (SELECT count(*) AS rows FROM stored) AS all_stored WHERE rows > 0
      ), event AS (${insertingFeedEvents})
    SELECT card_id FROM accepted`;
  const stored = await changeAtOnce(db, (executor) => executor.execute<{ card_id: string }>(storing));
  return new Set(stored.map((row) => row.card_id));
}

const insertingCounters = insertingInto(cardCounters);

/** Whether a statement failed because the message or authorization is already on record: networks repeat messages. */
export function isDuplicateMessage(error: unknown): boolean {
  const constraint = constraintName(error);
  return constraint === "card_events_network_key" || constraint === "card_transactions_authorization_key";
}
