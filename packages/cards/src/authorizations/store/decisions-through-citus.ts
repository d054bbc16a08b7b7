import {
  type Executor,
  type Transaction,
  cardCounters,
  cardLedgerEntries,
  cardPolicies,
  cardTransactions,
  cards,
} from "@purser/db";
import { insertingInto } from "@purser/platform";
import { insertingEvents } from "@purser/platform/events";
import { and, eq, inArray, sql } from "drizzle-orm";
import { type CardDecisions, cappedRow, uncappedRows } from "./decision-rows.ts";

const insertingTransactions = insertingInto(cardTransactions);
const insertingLedgerEntries = insertingInto(cardLedgerEntries);

/**
 * Does the same as `storeDecisions` through Citus, for cards of one organization, with the same locks in the same order, but in
 * several statements of one transaction. Of a statement with several changes, Citus sends the parts to every node, so all would
 * have to answer and to commit.
 */
export function storeDecisionsThroughCitus(
  db: Executor,
  decisions: readonly CardDecisions[],
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const store = (transaction: Transaction) => storeEach(transaction, decisions, organizationId);
  return "$client" in db ? db.transaction(store) : store(db);
}

async function storeEach(
  transaction: Transaction,
  decisions: readonly CardDecisions[],
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const rows = decisions.map(cappedRow);
  const locked = await lockVersions(transaction, rows, organizationId);
  const approvals = rows.filter((row) => locked.has(row.card_id) && row.approves);
  const capped = await raiseCapped(transaction, approvals);
  const isAccepted = (row: (typeof rows)[number]) =>
    locked.has(row.card_id) && (!row.approves || capped.has(row.card_id));
  const accepted = decisions.filter((_, nth) => isAccepted(rows[nth]!));
  if (accepted.length === 0) return new Set();
  const purchases = accepted.flatMap((one) => one.purchases);
  // Sent at once. The events come last: what the feed is ordered by is taken when all locks are held.
  await Promise.all([
    raiseUncapped(transaction, accepted.filter(({ card }) => capped.has(card.id)).flatMap(uncappedRows)),
    bumpCounters(
      transaction,
      organizationId,
      approvals.filter((row) => row.counters_version !== null && capped.has(row.card_id)),
    ),
    transaction.execute(insertingTransactions(purchases.map((purchase) => purchase.transaction))),
    transaction.execute(insertingLedgerEntries(purchases.map(({ entry }) => entry))),
    transaction.execute(insertingEvents(purchases.map(({ event }) => event))),
  ]);
  return new Set(accepted.map(({ card }) => card.id));
}

type CappedRow = ReturnType<typeof cappedRow>;

/** Locks the cards and policies that no other transaction has locked, and whose versions are those of the decisions. */
async function lockVersions(
  transaction: Transaction,
  rows: readonly CappedRow[],
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const locked = await transaction.execute<{ card_id: string }>(sql`
    SELECT decided.card_id FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS decided (card_id text, version int, counters_version int, policy_id text, policy_version int),
    LATERAL (
      SELECT 1 FROM ${cards} AS one WHERE one.organization_id = ${organizationId}
        AND one.id = decided.card_id AND one.version = decided.version
        AND (decided.counters_version IS NULL OR one.counters_version = decided.counters_version)
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS locked,
    LATERAL (
      SELECT 1 FROM ${cardPolicies} AS one WHERE one.organization_id = ${organizationId}
        AND one.id = decided.policy_id AND one.version = decided.policy_version
      FOR SHARE SKIP LOCKED
    ) AS shared`);
  return new Set(locked.map((row) => row.card_id));
}

const counterKey = [
  cardCounters.organizationId,
  cardCounters.cardId,
  cardCounters.period,
  cardCounters.startsOn,
];
const raised = { used: sql`${cardCounters.used} + excluded.used` };

/** Raises the capped counters up to their limits. Returns the cards whose approvals fit. */
async function raiseCapped(
  transaction: Transaction,
  rows: readonly CappedRow[],
): Promise<ReadonlySet<string>> {
  const fitting = rows.filter(({ counted, limit }) => counted <= limit);
  if (fitting.length === 0) return new Set();
  const limits = JSON.stringify(Object.fromEntries(fitting.map((row) => [row.card_id, row.limit])));
  const capped = await transaction
    .insert(cardCounters)
    .values(
      fitting.map((row) => ({
        organizationId: row.organization_id,
        cardId: row.card_id,
        period: row.period,
        startsOn: row.starts_on,
        used: row.counted,
      })),
    )
    .onConflictDoUpdate({
      target: counterKey,
      set: raised,
      setWhere: sql`${cardCounters.used} + excluded.used <= (${limits}::jsonb ->> excluded.card_id)::bigint`,
    })
    .returning({ cardId: cardCounters.cardId });
  return new Set(capped.map(({ cardId }) => cardId));
}

async function raiseUncapped(
  transaction: Transaction,
  rows: readonly (typeof cardCounters.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction
    .insert(cardCounters)
    .values([...rows])
    .onConflictDoUpdate({ target: counterKey, set: raised });
}

async function bumpCounters(
  transaction: Transaction,
  organizationId: string,
  rows: readonly CappedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.card_id);
  await transaction
    .update(cards)
    .set({ countersVersion: sql`${cards.countersVersion} + 1` })
    .where(and(eq(cards.organizationId, organizationId), inArray(cards.id, ids)));
}
