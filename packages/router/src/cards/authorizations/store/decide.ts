import {
  type Executor,
  cardCounters,
  cardEvents,
  cardPolicies,
  cardTransactions,
  cards,
  constraintName,
  organizations,
  prepared,
} from "@purser/db";
import { type SQL, and, eq, getTableColumns, isNotNull, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Windows } from "../rules/windows.ts";

/** Names a card for the network. */
export interface CardReference {
  issuer: "sandbox" | "stripe" | "lithic";
  reference: string;
}

/**
 * What was spent in the windows that may be meant, as `{ "DAY 2026-03-02": 1250, … }`. Which ones they are depends on
 * the time zone, which this very query reads; in whatever zone, the day is this one in UTC, or beside it.
 */
const countersAround = sql<Record<string, number> | null>`(
  SELECT json_object_agg(period || ' ' || starts_on, used)
  FROM ${cardCounters}
  WHERE ${cardCounters.organizationId} = ${cards.organizationId} AND ${cardCounters.cardId} = ${cards.id}
    AND ${cardCounters.startsOn} <= ${sql.placeholder("day")}::date + 1
    AND ${cardCounters.startsOn} >= ${sql.placeholder("day")}::date
      - CASE ${cardCounters.period} WHEN 'DAY' THEN 1 WHEN 'WEEK' THEN 7 ELSE 31 END
)`;

/** A card with everything that a decision on it depends on, as it is at this moment. */
export async function findDecidable(db: Executor, { issuer, reference }: CardReference, at: Date) {
  const day = at.toISOString().slice(0, 10);
  const [found] = await decidableCard(db).execute({ issuer, reference, day });
  return found;
}

export type Decidable = NonNullable<Awaited<ReturnType<typeof findDecidable>>>;

const decidableCard = prepared((db) =>
  db
    .select({
      card: {
        organizationId: cards.organizationId,
        id: cards.id,
        status: cards.status,
        currency: cards.currency,
        country: cards.country,
        expiryMonth: cards.expiryMonth,
        expiryYear: cards.expiryYear,
        version: cards.version,
      },
      policy: {
        spendingLimit: cardPolicies.spendingLimit,
        limitInterval: cardPolicies.limitInterval,
        allowAtm: cardPolicies.allowAtm,
        allowOnline: cardPolicies.allowOnline,
        allowInternational: cardPolicies.allowInternational,
        merchantCategories: cardPolicies.merchantCategories,
        blockedMerchants: cardPolicies.blockedMerchants,
        activeFrom: cardPolicies.activeFrom,
        activeTo: cardPolicies.activeTo,
        daysOfWeek: cardPolicies.daysOfWeek,
      },
      timeZone: organizations.timeZone,
      counters: countersAround,
    })
    .from(cards)
    .innerJoin(
      cardPolicies,
      and(eq(cardPolicies.organizationId, cards.organizationId), eq(cardPolicies.id, cards.policyId)),
    )
    .innerJoin(organizations, eq(organizations.id, cards.organizationId))
    .where(
      and(
        eq(cards.issuer, sql.placeholder("issuer")),
        eq(cards.issuerReference, sql.placeholder("reference")),
        isNotNull(cards.issuedAt),
      ),
    ),
);

/** A purchase as it is stored. */
export type TransactionRow = typeof cardTransactions.$inferSelect;
export type EventRow = typeof cardEvents.$inferSelect;

/** How far a window may be filled; where there is no limit, the month up to the end of numbers. */
export interface Cap {
  period: "DAY" | "WEEK" | "MONTH";
  limit: number;
}

export const noCap: Cap = { period: "MONTH", limit: Number.MAX_SAFE_INTEGER };

/**
 * Stores an approval together with what it takes from the limit, in one statement; false where it does not hold any
 * more: because the card has changed since it was read, or because others have used up what was left.
 *
 * The card's row is locked first, so that of all that happens to one card there is one order. The counter that the
 * limit is about is raised only as far as the limit goes: that comparison sees the row as the lock's last holder left
 * it, which a sum read before could not.
 */
export async function storeApproval(
  db: Executor,
  approval: { version: number; transaction: TransactionRow; event: EventRow; windows: Windows; cap: Cap },
): Promise<boolean> {
  const { version, transaction: row, event, windows, cap } = approval;
  const starts = startsOf(windows);
  const others = (["DAY", "WEEK", "MONTH"] as const).filter((period) => period !== cap.period);
  const raised = sql`used = ${cardCounters}.used + excluded.used`;
  const stored = await db.execute(sql`
    WITH ${lockedCard(row, version)}, capped AS (
      INSERT INTO ${cardCounters} (organization_id, card_id, period, starts_on, used)
      SELECT organization_id, id, ${cap.period}::text, ${starts[cap.period]}::date, ${event.counted}::bigint
      FROM card WHERE ${event.counted}::bigint <= ${cap.limit}::bigint
      ON CONFLICT (organization_id, card_id, period, starts_on) DO UPDATE SET ${raised}
      WHERE ${cardCounters}.used + excluded.used <= ${cap.limit}::bigint
      RETURNING organization_id, card_id
    ), uncapped AS (
      INSERT INTO ${cardCounters} (organization_id, card_id, period, starts_on, used)
      SELECT organization_id, card_id, period, starts_on, ${event.counted}::bigint
      FROM capped, (VALUES (${others[0]!}::text, ${starts[others[0]!]}::date),
        (${others[1]!}::text, ${starts[others[1]!]}::date)) AS other (period, starts_on)
      ON CONFLICT (organization_id, card_id, period, starts_on) DO UPDATE SET ${raised}
    ), stored AS (${insertFor(sql`capped`, cardTransactions, row)}),
      recorded AS (${insertFor(sql`capped`, cardEvents, event)})
    SELECT 1 FROM capped`);
  return stored.length > 0;
}

/** The first day of each of a purchase's windows. */
export function startsOf({ day, week, month }: Windows): Record<Cap["period"], string> {
  return { DAY: day, WEEK: week, MONTH: month };
}

/** Stores a refusal, in one statement; false where the card has changed since it was read. */
export async function storeRefusal(
  db: Executor,
  refusal: { version: number; transaction: TransactionRow; event: EventRow },
): Promise<boolean> {
  const { version, transaction: row, event } = refusal;
  const stored = await db.execute(sql`
    WITH ${lockedCard(row, version)},
      stored AS (${insertFor(sql`card`, cardTransactions, row)}),
      recorded AS (${insertFor(sql`card`, cardEvents, event)})
    SELECT 1 FROM card`);
  return stored.length > 0;
}

/** The card of a transaction, locked, if it is still as it was when it was read. */
const lockedCard = ({ organizationId, cardId }: TransactionRow, version: number) => sql`
  card AS MATERIALIZED (
    SELECT organization_id, id FROM ${cards}
    WHERE organization_id = ${organizationId} AND id = ${cardId} AND version = ${version}
    FOR NO KEY UPDATE
  )`;

/** Inserts a row for each of a source's. As JSON it is one parameter, whatever its columns. */
export function insertFor(source: SQL, table: PgTable, row: Record<string, unknown>): SQL {
  const columns = Object.entries(getTableColumns(table));
  const named = Object.fromEntries(columns.map(([field, column]) => [column.name, row[field]]));
  const record = sql`json_populate_record(NULL::${table}, ${JSON.stringify(named)}::json) AS record`;
  return sql`INSERT INTO ${table} SELECT record.* FROM ${source}, ${record}`;
}

/** Whether a statement failed because the network's message is on record: it sends again what it saw no answer to. */
export function isRepeated(error: unknown): boolean {
  const constraint = constraintName(error);
  return constraint === "card_events_network_key" || constraint === "card_transactions_authorization_key";
}
