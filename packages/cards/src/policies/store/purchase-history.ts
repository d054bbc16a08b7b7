import { type Executor, type Transaction, cardTransactions, cards } from "@purser/db";
import { type SQL, and, asc, eq, gt, gte, lte, or, sql } from "drizzle-orm";
import type { PastPurchase } from "../rules/replay.ts";

interface PastFilter {
  organizationId: string;
  /** Undefined for all cards. */
  cardId: string | undefined;
  /** The range of instants, inclusive. */
  from: Date | undefined;
  to: Date | undefined;
}

/** The number of purchases in memory at once. */
const pageSize = 5000;

/**
 * Reads pages of approved purchases and of clearings without an authorization, by card and then in order of purchase.
 * A cursor sorts them once, in the database; it ends with the transaction.
 */
export async function* readPastPurchases(
  transaction: Transaction,
  filter: PastFilter,
): AsyncGenerator<PastPurchase[], void> {
  await transaction.execute(sql`DECLARE past NO SCROLL CURSOR FOR ${pastQuery(transaction, filter)}`);
  const fetchPage = async () => transaction.execute(sql`FETCH ${sql.raw(String(pageSize))} FROM past`);
  let following = fetchPage();
  for (let hasMore = true; hasMore;) {
    const page = await following;
    hasMore = page.length === pageSize;
    // The database prepares the next page while this one is replayed.
    if (hasMore) following = fetchPage();
    yield page as unknown as PastPurchase[];
  }
}

function pastQuery(db: Executor, { organizationId, cardId, from, to }: PastFilter): SQL {
  const { authorized, held, cleared, purchasedAt } = cardTransactions;
  // Rows of a cursor are not mapped, so the query itself sets the names and types.
  const named = (name: keyof PastPurchase, value: unknown) => sql`${value}`.as(name);
  return db
    .select({
      id: named("id", cardTransactions.id),
      cardId: named("cardId", cardTransactions.cardId),
      cardCountry: named("cardCountry", cards.country),
      authorized: named("authorized", sql`${authorized}::float8`),
      counted: named("counted", sql`(${held} + ${cleared})::float8`),
      currency: named("currency", cardTransactions.currency),
      merchantName: named("merchantName", cardTransactions.merchantName),
      merchantId: named("merchantId", cardTransactions.merchantId),
      merchantCategory: named("merchantCategory", cardTransactions.merchantCategory),
      merchantCountry: named("merchantCountry", cardTransactions.merchantCountry),
      channel: named("channel", cardTransactions.channel),
      purchasedAt: named("purchasedAt", sql`(extract(epoch FROM ${purchasedAt}) * 1000)::float8`),
      localDay: named("localDay", cardTransactions.localDay),
    })
    .from(cardTransactions)
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        cardId === undefined ? undefined : eq(cardTransactions.cardId, cardId),
        from === undefined ? undefined : gte(purchasedAt, from),
        to === undefined ? undefined : lte(purchasedAt, to),
        or(gt(authorized, 0), gt(cleared, 0)),
      ),
    )
    .orderBy(asc(cardTransactions.cardId), asc(purchasedAt), asc(cardTransactions.id))
    .getSQL();
}
