import { type Executor, cardCounters, cardEvents, cardTransactions, cards, constraintName } from "@purser/db";
import { type SQL, getTableColumns, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { DecidedPolicy } from "../rules/decide.ts";
import type { Windows } from "../rules/windows.ts";

export type TransactionRow = typeof cardTransactions.$inferSelect;
export type EventRow = typeof cardEvents.$inferSelect;

/** The limit of one window. Without a limit: the month, up to the largest safe integer. */
export interface Cap {
  period: (typeof cardCounters.$inferSelect)["period"];
  limit: number;
}

const noCap: Cap = { period: "MONTH", limit: Number.MAX_SAFE_INTEGER };

const periods = { DAILY: "DAY", WEEKLY: "WEEK", MONTHLY: "MONTH" } as const;

/** The cap that a policy puts on the counters of a card. PER_TRANSACTION needs none: the rules check it alone. */
export function capOf({ spendingLimit: limit, limitInterval }: DecidedPolicy): Cap {
  if (limit === null || limitInterval === null || limitInterval === "PER_TRANSACTION") return noCap;
  return { period: periods[limitInterval], limit };
}

/** Decisions on purchases with one card, in order, all on the same day in its time zone. */
export interface CardDecisions {
  card: { organizationId: string; id: string; version: number };
  windows: Windows;
  cap: Cap;
  purchases: readonly { transaction: TransactionRow; event: EventRow }[];
}

/**
 * Stores decisions on many cards in one statement, together with what their approvals add to the counters. Returns the
 * ids of the cards that are stored. Each card is all or nothing. A card is not stored if its version changed since it
 * was read, if the limit has been used up since, or, without `waits`, if another transaction holds its lock.
 *
 * The statement locks each card's row first, so all changes to one card are ordered. It then raises the capped counter
 * only up to the limit. This comparison sees the row as the last holder of the lock left it; a sum that was read before
 * the lock might be stale. A statement for several cards skips locked ones and never waits, so it cannot deadlock.
 */
export async function storeDecisions(
  db: Executor,
  decisions: readonly CardDecisions[],
  { waits }: { waits: boolean },
): Promise<ReadonlySet<string>> {
  const purchases = decisions.flatMap((one) => one.purchases);
  const transactions = purchases.map(({ transaction }) => transaction);
  const events = purchases.map(({ event }) => event);
  const key = sql.raw("organization_id, card_id");
  const raised = sql`used = ${cardCounters}.used + excluded.used`;
  const insert = (table: PgTable, rows: readonly object[], source: SQL) => sql`
    INSERT INTO ${table} SELECT record.* FROM ${recordset(table, rows)} AS record
    WHERE (record.organization_id, record.card_id) IN (SELECT ${key} FROM ${source})`;
  const stored = await db.execute<{ card_id: string }>(sql`
    WITH card AS MATERIALIZED (
      SELECT decided.* FROM json_to_recordset(${JSON.stringify(decisions.map(cappedRow))}::json)
        AS decided (organization_id text, card_id text, version int, approves boolean, period text, starts_on date,
          counted bigint, "limit" bigint),
      LATERAL (
        SELECT 1 FROM ${cards} AS one WHERE one.organization_id = decided.organization_id
          AND one.id = decided.card_id AND one.version = decided.version
        FOR NO KEY UPDATE ${sql.raw(waits ? "" : "SKIP LOCKED")}
      ) AS locked
    ), capped AS (
      INSERT INTO ${cardCounters} (${key}, period, starts_on, used)
      SELECT ${key}, period, starts_on, counted FROM card WHERE approves AND counted <= "limit"
      ON CONFLICT (${key}, period, starts_on) DO UPDATE SET ${raised}
      WHERE ${cardCounters}.used + excluded.used <= (SELECT "limit" FROM card
        WHERE card.organization_id = excluded.organization_id AND card.card_id = excluded.card_id)
      RETURNING ${key}
    ), uncapped AS (${insert(cardCounters, decisions.flatMap(uncappedRows), sql`capped`)}
      ON CONFLICT (${key}, period, starts_on) DO UPDATE SET ${raised}
    ), accepted AS (
      SELECT ${key} FROM capped UNION ALL SELECT ${key} FROM card WHERE NOT approves
    ), stored AS (${insert(cardTransactions, transactions, sql`accepted`)}),
      recorded AS (${insert(cardEvents, events, sql`accepted`)})
    SELECT card_id FROM accepted`);
  return new Set(stored.map((row) => row.card_id));
}

/** The card as it was read, and what its approvals add to the capped counter. */
function cappedRow({ card, cap, windows, purchases }: CardDecisions) {
  return {
    organization_id: card.organizationId,
    card_id: card.id,
    version: card.version,
    approves: purchases.some(({ transaction }) => transaction.status === "PENDING"),
    period: cap.period,
    starts_on: windowStarts(windows)[cap.period],
    counted: countedOf(purchases),
    limit: cap.limit,
  };
}

/** What approvals add to the other two counters. They count too, since a policy may change its interval. */
function uncappedRows({ card, cap, windows, purchases }: CardDecisions) {
  const { organizationId, id: cardId } = card;
  const used = countedOf(purchases);
  return Object.entries(windowStarts(windows))
    .filter(([period]) => period !== cap.period)
    .map(([period, startsOn]) => ({ organizationId, cardId, period, startsOn, used }));
}

const countedOf = (purchases: CardDecisions["purchases"]) =>
  purchases.reduce((sum, { event }) => sum + event.counted, 0);

/** The first day of each window. */
export function windowStarts({ day, week, month }: Windows): Record<Cap["period"], string> {
  return { DAY: day, WEEK: week, MONTH: month };
}

/** Inserts the row once for each row of the source. */
export function insertFor(source: SQL, table: PgTable, row: object): SQL {
  return sql`INSERT INTO ${table} SELECT record.* FROM ${source}, ${recordset(table, [row])} AS record`;
}

/** Rows of a table as one JSON parameter, so that the statement is the same for any number of them. */
function recordset(table: PgTable, rows: readonly object[]): SQL {
  const columns = Object.entries(getTableColumns(table));
  const named = rows.map((row) =>
    Object.fromEntries(columns.map(([field, column]) => [column.name, row[field as keyof typeof row]])),
  );
  return sql`json_populate_recordset(NULL::${table}, ${JSON.stringify(named)}::json)`;
}

/** Whether a statement failed because the message or authorization is already on record: networks repeat messages. */
export function isDuplicateMessage(error: unknown): boolean {
  const constraint = constraintName(error);
  return constraint === "card_events_network_key" || constraint === "card_transactions_authorization_key";
}
