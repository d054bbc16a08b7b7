import { type Transaction, cardCounters, cardTransactions, cards } from "@purser/db";
import { and, eq, gte, sql } from "drizzle-orm";
import { bumpPolicyVersion } from "../../store.ts";

export interface Purchase {
  id: string;
  cardId: string;
  purchasedAt: Date;
  /** The day on which it counts, YYYY-MM-DD. */
  localDay: string;
  /** The amount that counts against the limits. */
  counted: number;
}

/** Locks the cards of an organization and bumps their versions, so that no decision on the old calendar is stored. */
export function lockCardsOf(transaction: Transaction, organizationId: string): Promise<void> {
  return bumpPolicyVersion(transaction, eq(cards.organizationId, organizationId));
}

/** The purchases of an organization since an instant. */
export function listPurchasesSince(
  transaction: Transaction,
  organizationId: string,
  since: Date,
): Promise<Purchase[]> {
  return transaction
    .select({
      id: cardTransactions.id,
      cardId: cardTransactions.cardId,
      purchasedAt: cardTransactions.purchasedAt,
      localDay: cardTransactions.localDay,
      counted: sql<number>`${cardTransactions.held} + ${cardTransactions.cleared}`.mapWith(Number),
    })
    .from(cardTransactions)
    .where(
      and(eq(cardTransactions.organizationId, organizationId), gte(cardTransactions.purchasedAt, since)),
    );
}

/** Sets the days of purchases. */
export async function setLocalDays(
  transaction: Transaction,
  organizationId: string,
  days: readonly { id: string; day: string }[],
): Promise<void> {
  await transaction.execute(sql`
    UPDATE ${cardTransactions} AS purchase SET local_day = item.day
    FROM json_to_recordset(${JSON.stringify(days)}::json) AS item(id text, day date)
    WHERE purchase.organization_id = ${organizationId} AND purchase.id = item.id`);
}

/** The change of one counter; a negative amount gives back. */
export interface CounterChange {
  cardId: string;
  period: string;
  startsOn: string;
  amount: number;
}

/** Applies changes to different counters. */
export async function changeCounters(
  transaction: Transaction,
  organizationId: string,
  changes: readonly CounterChange[],
): Promise<void> {
  const changed = sql`json_to_recordset(${JSON.stringify(changes)}::json)
    AS change("cardId" text, period text, "startsOn" date, amount bigint)`;
  await transaction.execute(sql`
    INSERT INTO ${cardCounters} (organization_id, card_id, period, starts_on, used)
    SELECT ${organizationId}, "cardId", period, "startsOn", amount FROM ${changed} WHERE amount > 0
    ON CONFLICT (organization_id, card_id, period, starts_on)
    DO UPDATE SET used = ${cardCounters}.used + excluded.used`);
  await transaction.execute(sql`
    UPDATE ${cardCounters} AS counter SET used = used + amount FROM ${changed}
    WHERE amount < 0 AND organization_id = ${organizationId} AND card_id = "cardId"
      AND counter.period = change.period AND starts_on = "startsOn"`);
}
