import { type cardLedgerEntries, events } from "@purser/db";
import { openEventData } from "@purser/platform/events";
import type { TestPurser } from "@purser/testing";
import { and, asc, eq, like } from "drizzle-orm";
import { expect } from "vitest";
import { CardTransaction } from "../transactions/contract.ts";
import type { CardTransactionRow, TestCard } from "./card-scene.ts";

/** An entry of the ledger, and the transaction as it was right after it. */
export interface LedgerStep {
  entry: typeof cardLedgerEntries.$inferSelect;
  after: Pick<CardTransactionRow, "status" | "amount" | "declineReason" | "settledAt">;
}

/**
 * Checks the events of a card's transactions in the organization's feed: each entry of the ledger that changed or decided
 * something has one, with the transaction as it was then. So the last one has the transaction as it is now.
 */
export async function expectFeed(
  { db, platform }: TestPurser,
  card: TestCard,
  rows: readonly CardTransactionRow[],
  steps: readonly LedgerStep[],
): Promise<void> {
  const stored = await db
    .select()
    .from(events)
    .where(
      and(
        eq(events.organizationId, card.organizationId),
        eq(events.cardId, card.id),
        like(events.type, "card_transaction.%"),
      ),
    )
    .orderBy(asc(events.era), asc(events.transactionId), asc(events.recordedAt), asc(events.id));
  const fed = Map.groupBy(stored, ({ subjectId }) => subjectId);
  const expectedSteps = Map.groupBy(steps, ({ entry }) => entry.transactionId);
  expect(new Set(fed.keys())).toEqual(new Set(rows.map(({ id }) => id)));
  for (const row of rows) {
    const seen = fed.get(row.id)!.map((event) => {
      const data = openEventData(platform.settings.encryptionKeys, event);
      return { type: event.type, createdAt: event.createdAt, data: CardTransaction.parse(data) };
    });
    const expected = expectedSteps.get(row.id)!.map(({ entry, after }) => ({
      type: `card_transaction.${verbOf(entry)}`,
      createdAt: entry.createdAt,
      data: CardTransaction.parse({ ...row, ...after }),
    }));
    expect(seen).toEqual(expected);
    expect(seen.at(-1)!.data).toEqual(CardTransaction.parse(row));
  }
}

const verbs = {
  INCREMENT: "incremented",
  REVERSAL: "reversed",
  EXPIRY: "expired",
  CLEARING: "settled",
  REFUND: "refunded",
  DISPUTE_CREDIT: "refunded",
  DISPUTE_DEBIT: "settled",
} as const;

function verbOf({ kind, amount, decision }: LedgerStep["entry"]): string {
  if (kind === "REFUND" && amount < 0) return "settled";
  if (kind !== "AUTHORIZATION") return verbs[kind];
  return decision!.outcome === "approved" ? "approved" : "declined";
}
