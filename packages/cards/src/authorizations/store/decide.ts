import { type Executor, cardCounters, cardEvents, cardTransactions, cards, constraintName } from "@purser/db";
import { type SQL, getTableColumns, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { DecidedPolicy } from "../rules/decide.ts";
import type { Windows } from "../rules/windows.ts";

/** A purchase as it is stored. */
export type TransactionRow = typeof cardTransactions.$inferSelect;
export type EventRow = typeof cardEvents.$inferSelect;

/** How far a window may be filled; where there is no limit, the month up to the end of numbers. */
export interface Cap {
  period: "DAY" | "WEEK" | "MONTH";
  limit: number;
}

const noCap: Cap = { period: "MONTH", limit: Number.MAX_SAFE_INTEGER };

const periods = { DAILY: "DAY", WEEKLY: "WEEK", MONTHLY: "MONTH" } as const;

/** How far purchases with a card of this policy may fill their window. */
export function capOf({ spendingLimit: limit, limitInterval }: DecidedPolicy): Cap {
  if (limit === null || limitInterval === null || limitInterval === "PER_TRANSACTION") return noCap;
  return { period: periods[limitInterval], limit };
}

/** What was decided on purchases with one card, one after the other, all of them on one of its days. */
export interface CardDecisions {
  card: { organizationId: string; id: string; version: number };
  windows: Windows;
  cap: Cap;
  purchases: readonly { transaction: TransactionRow; event: EventRow }[];
}

/**
 * Stores decisions on many cards in one statement, together with what approvals take from the limits. Of a card all is
 * stored or nothing, where it does not hold any more: because the card has changed since it was read, because others
 * have used up what was left, or, unless `waits` is set, because somebody has the card locked. Gives the ids of the
 * cards whose decisions are stored.
 *
 * A card's row is locked first, so that of all that happens to one card there is one order. The counter that the
 * limit is about is raised only as far as the limit goes: that comparison sees the row as the lock's last holder left
 * it, which a sum read before could not. Whoever has several cards locked waits for none: so there are no deadlocks.
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
      SELECT decided.* FROM json_to_recordset(${JSON.stringify(decisions.map(capped))}::json)
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
    ), uncapped AS (${insert(cardCounters, decisions.flatMap(uncapped), sql`capped`)}
      ON CONFLICT (${key}, period, starts_on) DO UPDATE SET ${raised}
    ), kept AS (
      SELECT ${key} FROM capped UNION ALL SELECT ${key} FROM card WHERE NOT approves
    ), stored AS (${insert(cardTransactions, transactions, sql`kept`)}),
      recorded AS (${insert(cardEvents, events, sql`kept`)})
    SELECT card_id FROM kept`);
  return new Set(stored.map((row) => row.card_id));
}

/** A card as it was read, and what its approvals take from the window that its limit is about. */
function capped({ card, cap, windows, purchases }: CardDecisions) {
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

/** What approvals take from the other windows, which are counted all the same. */
function uncapped({ card, cap, windows, purchases }: CardDecisions) {
  const { organizationId, id: cardId } = card;
  const used = countedOf(purchases);
  return Object.entries(windowStarts(windows))
    .filter(([period]) => period !== cap.period)
    .map(([period, startsOn]) => ({ organizationId, cardId, period, startsOn, used }));
}

const countedOf = (purchases: CardDecisions["purchases"]) =>
  purchases.reduce((sum, { event }) => sum + event.counted, 0);

/** The first day of each of a purchase's windows. */
export function windowStarts({ day, week, month }: Windows): Record<Cap["period"], string> {
  return { DAY: day, WEEK: week, MONTH: month };
}

/** Inserts a row for each of a source's. */
export function insertFor(source: SQL, table: PgTable, row: object): SQL {
  return sql`INSERT INTO ${table} SELECT record.* FROM ${source}, ${recordset(table, [row])} AS record`;
}

/** Rows of a table. As JSON they are one parameter, however many, and whatever their columns. */
function recordset(table: PgTable, rows: readonly object[]): SQL {
  const columns = Object.entries(getTableColumns(table));
  const named = rows.map((row) =>
    Object.fromEntries(columns.map(([field, column]) => [column.name, row[field as keyof typeof row]])),
  );
  return sql`json_populate_recordset(NULL::${table}, ${JSON.stringify(named)}::json)`;
}

/** Whether a statement failed because the network's message is on record: it sends again what it saw no answer to. */
export function isRepeated(error: unknown): boolean {
  const constraint = constraintName(error);
  return constraint === "card_events_network_key" || constraint === "card_transactions_authorization_key";
}
