import { type ReportDays, type cardSpendingGroups, endedHoldReasons, firstIdAt } from "@purser/core";
import {
  type Database,
  type Executor,
  type Transaction,
  cardSpendingRollups,
  cardSpendingTotals,
  cardTransactions,
  cards,
  deleteBatch,
  searchAllOrganizations,
} from "@purser/db";
import { type SQL, and, asc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { SpendingSum } from "./rules.ts";

export type SpendingGroup = (typeof cardSpendingGroups)[number];

/** Instants from the first, itself included, to the last, itself excluded. */
interface Span {
  from: Date;
  until: Date;
}

const isRefused = sql.raw(
  `purchase.status = 'DECLINED' AND purchase.decline_reason NOT IN (${endedHoldReasons.map((reason) => `'${reason}'`).join()})`,
);

/** A refund or a dispute is no purchase, nor is a verification of the card. */
const isPurchase = sql`(purchase.authorized > 0 OR purchase.cleared > 0)`;

const measures = sql`
  coalesce(sum(purchase.amount) FILTER (WHERE purchase.status <> 'DECLINED'), 0) AS approved,
  coalesce(sum(purchase.amount) FILTER (WHERE ${isRefused}), 0) AS declined,
  count(*) FILTER (WHERE purchase.status <> 'DECLINED' AND ${isPurchase}) AS count,
  count(*) FILTER (WHERE ${isRefused} AND purchase.amount > 0) AS declined_count`;

const keys: Readonly<Record<Exclude<SpendingGroup, "day">, SQL>> = {
  card: sql`purchase.card_id`,
  merchant: sql`coalesce(purchase.merchant_id, purchase.merchant_name)`,
  category: sql`coalesce(purchase.merchant_category, '')`,
};

const labelOf = (groupBy: SpendingGroup): SQL =>
  groupBy === "merchant" ? sql`max(purchase.merchant_name COLLATE "C")` : sql`''`;

/** An id starts with the instant of creation, so the primary key serves this range. */
const within = ({ from, until }: Span): SQL =>
  sql`purchase.id >= ${firstIdAt("ctx", from)} AND purchase.id < ${firstIdAt("ctx", until)}`;

/** As PostgreSQL returns a {@link SpendingSum}. */
type SpendingRow = Record<
  "currency" | "key" | "label" | "approved" | "declined" | "count" | "declined_count",
  string
>;

const toSpending = ({ declined_count, approved, declined, count, ...row }: SpendingRow): SpendingSum => ({
  ...row,
  approved: BigInt(approved),
  declined: BigInt(declined),
  count: Number(count),
  declinedCount: Number(declined_count),
});

/** A day of the organization's time zone. */
type DaySpan = Span & { day: string };

/**
 * Sums card transactions one by one. `days` are those of the span, in order, for a report by day. `holderId` restricts the
 * report to what this cardholder sees, as in the list.
 */
export async function sumTransactions(
  db: Executor,
  organizationId: string,
  {
    groupBy,
    span,
    holderId,
    days,
  }: { groupBy: SpendingGroup; span: Span; holderId: string | undefined; days: readonly DaySpan[] },
): Promise<SpendingSum[]> {
  const ofHolder = sql`JOIN ${cards} AS card ON card.organization_id = ${organizationId}::text
    AND card.id = purchase.card_id AND card.assigned_to_id = ${holderId ?? null}::text
    AND coalesce(purchase.holder_id, card.first_holder_id, card.assigned_to_id) = card.assigned_to_id`;
  const sums = (key: SQL, range: SQL) => sql`
    SELECT purchase.currency, ${key} AS key, ${labelOf(groupBy)} AS label, ${measures}
    FROM ${cardTransactions} AS purchase ${holderId === undefined ? sql`` : ofHolder}
    WHERE purchase.organization_id = ${organizationId}::text AND ${range}
    GROUP BY 1, 2`;
  const rows = await db.execute<SpendingRow>(
    groupBy === "day" ? sumEachDay(sums, days) : sums(keys[groupBy], within(span)),
  );
  return [...rows].map(toSpending);
}

/** Reads each day as a range of ids: to find a transaction's day among many takes longer than to add the transaction. */
function sumEachDay(sums: (key: SQL, range: SQL) => SQL, days: readonly DaySpan[]): SQL {
  const array = (values: readonly string[]) => sql`${sql.param(values)}::text[]`;
  return sql`
    SELECT sums.* FROM unnest(${array(days.map(({ day }) => day))}, ${array(days.map(({ from }) => firstIdAt("ctx", from)))},
      ${array(days.map(({ until }) => firstIdAt("ctx", until)))}) AS span(day, first_id, until_id),
    LATERAL (${sums(sql`span.day`, sql`purchase.id >= span.first_id AND purchase.id < span.until_id`)}) AS sums`;
}

/** Sums the totals of whole days and months. */
export async function sumTotals(
  db: Executor,
  organizationId: string,
  groupBy: SpendingGroup,
  { days, months }: { days: readonly ReportDays[]; months: ReportDays | null },
): Promise<SpendingSum[]> {
  const part = (monthly: boolean, { first, last }: ReportDays) => sql`
    SELECT currency, key, label, approved, declined, count, declined_count FROM ${cardSpendingTotals}
    WHERE organization_id = ${organizationId}::text AND group_by = ${groupBy} AND monthly = ${monthly}
      AND starts_on BETWEEN ${first}::date AND ${last}::date`;
  const parts = [
    ...days.map((range) => part(false, range)),
    ...(months === null ? [] : [part(true, months)]),
  ];
  const rows = await db.execute<SpendingRow>(sql`
    SELECT currency, key, max(label COLLATE "C") AS label, sum(approved) AS approved, sum(declined) AS declined,
      sum(count) AS count, sum(declined_count) AS declined_count
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS total GROUP BY 1, 2`);
  return [...rows].map(toSpending);
}

/** Reads until which day the transactions are in the totals, and in which time zone its days are. */
export async function findRollup(db: Executor, organizationId: string) {
  const [rollup] = await db
    .select()
    .from(cardSpendingRollups)
    .where(eq(cardSpendingRollups.organizationId, organizationId));
  return rollup;
}

/** Lists the organizations with cards whose totals end before a day. */
export async function listOrganizationsToRollUp(db: Database, day: string): Promise<string[]> {
  const { organizationId, rolledUpUntil } = cardSpendingRollups;
  const found = await searchAllOrganizations(db, (all) =>
    all
      .selectDistinct({ organizationId: cards.organizationId })
      .from(cards)
      .leftJoin(cardSpendingRollups, eq(organizationId, cards.organizationId))
      .where(or(isNull(rolledUpUntil), lt(rolledUpUntil, day))),
  );
  return found.map((row) => row.organizationId);
}

/** Locks where the totals of an organization end, so that no day is added twice. */
export async function lockRollup(transaction: Transaction, organizationId: string, timeZone: string) {
  await transaction
    .insert(cardSpendingRollups)
    .values({ organizationId, timeZone, rolledUpUntil: null })
    .onConflictDoNothing();
  const [rollup] = await transaction
    .select()
    .from(cardSpendingRollups)
    .where(eq(cardSpendingRollups.organizationId, organizationId))
    .for("update");
  return rollup!;
}

export async function updateRollup(
  transaction: Transaction,
  { organizationId, ...change }: typeof cardSpendingRollups.$inferSelect,
): Promise<void> {
  await transaction
    .update(cardSpendingRollups)
    .set(change)
    .where(eq(cardSpendingRollups.organizationId, organizationId));
}

/** Deletes some of the totals of an organization, or the last of them. */
export async function deleteSpendingTotals(
  transaction: Transaction,
  organizationId: string,
): Promise<{ isLast: boolean }> {
  const ofOrganization = eq(cardSpendingTotals.organizationId, organizationId);
  return deleteBatch(transaction, cardSpendingTotals, ofOrganization, { within: ofOrganization });
}

/** Finds when the first card transaction of an organization was created. */
export async function findFirstCreated(db: Executor, organizationId: string): Promise<Date | undefined> {
  const [first] = await db
    .select({ createdAt: cardTransactions.createdAt })
    .from(cardTransactions)
    .where(eq(cardTransactions.organizationId, organizationId))
    .orderBy(asc(cardTransactions.id))
    .limit(1);
  return first?.createdAt;
}

/** Whether a transaction of this span may still change. */
export async function hasOpenHold(
  db: Executor,
  organizationId: string,
  { from, until }: Span,
): Promise<boolean> {
  const { id, status } = cardTransactions;
  const open = await db
    .select({ id })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        eq(status, "PENDING"),
        gte(id, firstIdAt("ctx", from)),
        lt(id, firstIdAt("ctx", until)),
      ),
    )
    .limit(1);
  return open.length > 0;
}

const totalColumns = sql.raw(
  "(organization_id, group_by, monthly, starts_on, currency, key, label, approved, declined, count, declined_count)",
);

/** Adds the totals of a day. */
export async function insertDay(
  transaction: Transaction,
  organizationId: string,
  groupBy: SpendingGroup,
  { day, ...span }: DaySpan,
): Promise<void> {
  const key = groupBy === "day" ? sql`${day}::text` : keys[groupBy];
  await transaction.execute(sql`
    INSERT INTO ${cardSpendingTotals} ${totalColumns}
    SELECT ${organizationId}::text, ${groupBy}::text, false, ${day}::date, purchase.currency, ${key}, ${labelOf(groupBy)}, ${measures}
    FROM ${cardTransactions} AS purchase WHERE purchase.organization_id = ${organizationId}::text AND ${within(span)}
    GROUP BY purchase.currency, ${groupBy === "day" ? sql`1` : sql.raw("6")}`);
}

/** Adds the totals of a month, all of whose days have theirs. */
export async function insertMonth(
  transaction: Transaction,
  organizationId: string,
  groupBy: SpendingGroup,
  { first, last }: ReportDays,
): Promise<void> {
  await transaction.execute(sql`
    INSERT INTO ${cardSpendingTotals} ${totalColumns}
    SELECT ${organizationId}::text, ${groupBy}::text, true, ${first}::date, currency, key, max(label COLLATE "C"),
      sum(approved), sum(declined), sum(count), sum(declined_count)
    FROM ${cardSpendingTotals} WHERE organization_id = ${organizationId}::text AND group_by = ${groupBy}
      AND monthly = false AND starts_on BETWEEN ${first}::date AND ${last}::date
    GROUP BY currency, key`);
}

/** Lists the currencies of an organization's cards, or of those assigned to one cardholder. */
export async function listCardCurrencies(
  db: Executor,
  organizationId: string,
  holderId: string | undefined,
): Promise<string[]> {
  const found = await db
    .selectDistinct({ currency: cards.currency })
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, organizationId),
        isNotNull(cards.issuedAt),
        holderId === undefined ? undefined : eq(cards.assignedToId, holderId),
      ),
    );
  return found.map(({ currency }) => currency);
}

/** Reads what people call these cards. */
export async function listCardLabels(
  db: Executor,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db
    .select({ id: cards.id, nickname: cards.nickname, lastFour: cards.lastFour })
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), inArray(cards.id, [...ids])));
  return new Map(found.map(({ id, nickname, lastFour }) => [id, nickname ?? `•••• ${lastFour}`]));
}
