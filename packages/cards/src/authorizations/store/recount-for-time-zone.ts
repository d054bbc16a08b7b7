import { dayMs, firstIdAt } from "@purser/core";
import { type TenantKey, type Transaction, cardCounters, cardTransactions } from "@purser/db";
import { and, between, eq, gte, or, sql } from "drizzle-orm";

const clockSkewMs = dayMs;

/** The purchases with a card since an instant, and around a New Year: their days, and what counts against the limits. */
export function listPurchasesToRecount(
  transaction: Transaction,
  { organizationId, id }: TenantKey,
  { since, newYear }: { since: Date; newYear: { from: Date; to: Date } },
) {
  const first = Math.min(since.getTime(), newYear.from.getTime());
  return transaction
    .select({
      id: cardTransactions.id,
      purchasedAt: cardTransactions.purchasedAt,
      localDay: cardTransactions.localDay,
      counted: sql<number>`${cardTransactions.held} + ${cardTransactions.cleared}`.mapWith(Number),
    })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        eq(cardTransactions.cardId, id),
        // The index of a card orders by id, which has the instant of recording: not before the purchase, but for the
        // difference between the network's clock and ours.
        gte(cardTransactions.id, firstIdAt("ctx", new Date(first - clockSkewMs))),
        or(
          gte(cardTransactions.purchasedAt, since),
          between(cardTransactions.purchasedAt, newYear.from, newYear.to),
        ),
      ),
    );
}

/** Sets the days of purchases. */
export async function setLocalDays(
  transaction: Transaction,
  { organizationId }: TenantKey,
  days: readonly { id: string; day: string }[],
): Promise<void> {
  await transaction.execute(sql`
    UPDATE ${cardTransactions} AS purchase SET local_day = item.day
    FROM json_to_recordset(${JSON.stringify(days)}::json) AS item(id text, day date)
    WHERE purchase.organization_id = ${organizationId} AND purchase.id = item.id`);
}

/** The change of one counter; a negative amount gives back. */
export interface CounterChange {
  period: string;
  startsOn: string;
  amount: number;
}

/** Applies changes to different counters of a card. */
export async function changeCounters(
  transaction: Transaction,
  { organizationId, id }: TenantKey,
  changes: readonly CounterChange[],
): Promise<void> {
  const changed = sql`json_to_recordset(${JSON.stringify(changes)}::json)
    AS change(period text, "startsOn" date, amount bigint)`;
  await transaction.execute(sql`
    INSERT INTO ${cardCounters} (organization_id, card_id, period, starts_on, used)
    SELECT ${organizationId}, ${id}, period, "startsOn", amount FROM ${changed} WHERE amount > 0
    ON CONFLICT (organization_id, card_id, period, starts_on)
    DO UPDATE SET used = ${cardCounters}.used + excluded.used`);
  await transaction.execute(sql`
    UPDATE ${cardCounters} AS counter SET used = used + amount FROM ${changed}
    WHERE amount < 0 AND organization_id = ${organizationId} AND card_id = ${id}
      AND counter.period = change.period AND starts_on = "startsOn"`);
}
