import { type Database, type Executor, cardTransactions, cards } from "@purser/db";
import { and, asc, eq, gt, gte, inArray, lte, or, sql } from "drizzle-orm";
import type { PastPurchase } from "../rules/replay.ts";

interface PastFilter {
  organizationId: string;
  /** Undefined for all cards. */
  cardId: string | undefined;
  /** The range of instants, inclusive. */
  from: Date | undefined;
  to: Date | undefined;
}

/** Runs a read where reads may run: on the replica or on the database itself. */
export type PageReader = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/** The number of purchases in memory at once. Replaying them takes a few milliseconds. */
const pageSize = 2000;

/**
 * Reads pages of approved purchases and of clearings without an authorization, by card and then in order of purchase.
 * An index has this order, so nothing is sorted and each page is a short statement, whatever the number of purchases.
 */
export async function* readPastPurchases(
  read: PageReader,
  filter: PastFilter,
): AsyncGenerator<PastPurchase[], void> {
  const countries = new Map<string, string>();
  const readPage = (after?: PastPurchase) => read((db) => readPastPage(db, filter, after, countries));
  let following = readPage();
  for (let hasMore = true; hasMore;) {
    const page = await following;
    hasMore = page.length === pageSize;
    // The database prepares the next page while this one is replayed.
    if (hasMore) following = readPage(page.at(-1));
    yield page;
  }
}

async function readPastPage(
  db: Executor,
  { organizationId, cardId, from, to }: PastFilter,
  after: PastPurchase | undefined,
  countries: Map<string, string>,
): Promise<PastPurchase[]> {
  const { id, authorized, held, cleared, purchasedAt } = cardTransactions;
  // Mapping a million rows would take seconds, so the query itself sets the names and types.
  const named = (name: keyof PastPurchase, value: unknown) => sql`${value}`.as(name);
  const query = db
    .select({
      id: named("id", id),
      cardId: named("cardId", cardTransactions.cardId),
      authorized: named("authorized", sql`${authorized}::float8`),
      requested: named("requested", sql`${cardTransactions.requested}::float8`),
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
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        cardId === undefined ? undefined : eq(cardTransactions.cardId, cardId),
        from === undefined ? undefined : gte(purchasedAt, from),
        to === undefined ? undefined : lte(purchasedAt, to),
        or(gt(authorized, 0), gt(cleared, 0)),
        after &&
          sql`(${cardTransactions.cardId}, ${purchasedAt}, ${id}) >
            (${after.cardId}, ${new Date(after.purchasedAt).toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(cardTransactions.cardId), asc(purchasedAt), asc(id))
    .limit(pageSize);
  const page = (await db.execute(query.getSQL())) as unknown as PastPurchase[];
  await addCountries(db, organizationId, page, countries);
  return page;
}

/** Sets the countries of the cards. A page has few cards, so most are known from the page before. */
async function addCountries(
  db: Executor,
  organizationId: string,
  page: readonly PastPurchase[],
  countries: Map<string, string>,
): Promise<void> {
  const unknown = [...new Set(page.map(({ cardId }) => cardId))].filter((cardId) => !countries.has(cardId));
  if (unknown.length > 0) {
    const found = await db
      .select({ id: cards.id, country: cards.country })
      .from(cards)
      .where(and(eq(cards.organizationId, organizationId), inArray(cards.id, unknown)));
    for (const { id, country } of found) countries.set(id, country);
  }
  for (const purchase of page) purchase.cardCountry = countries.get(purchase.cardId)!;
}
