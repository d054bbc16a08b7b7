import { setImmediate } from "node:timers/promises";
import { type Database, type Executor, cardTransactions, cards, readColumns } from "@purser/db";
import { and, asc, eq, gt, gte, inArray, lte, ne, or, sql } from "drizzle-orm";
import type { PastPurchase } from "../rules/replay.ts";

interface PastFilter {
  organizationId: string;
  /** Both undefined for all cards. */
  cardId: string | undefined;
  /** The policy that the cards follow now. */
  cardsOfPolicyId: string | undefined;
  /** The range of instants, inclusive. */
  from: Date | undefined;
  to: Date;
}

/** Runs a read where reads may run: on the replica or on the database itself. */
export type PageReader = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/** The number of purchases that a statement reads. */
const pageSize = 5000;

/** The number of purchases that are replayed at once. It takes about a millisecond. */
const partSize = 500;

/**
 * Reads approved purchases and clearings without an authorization, in order of purchase, and yields them in parts. An
 * index has this order, and so has the table nearly, so nothing is sorted and each page is a short statement on
 * neighboring blocks, whatever the number of purchases.
 */
export async function* readPastPurchases(
  read: PageReader,
  filter: PastFilter,
): AsyncGenerator<PastPurchase[], void> {
  const countries = new Map<string, string>();
  const readPage = (after?: Position) => read((db) => readPastPage(db, filter, after, countries));
  let following = readPage();
  for (let hasMore = true; hasMore;) {
    const page = await following;
    const { length } = page.id;
    hasMore = length === pageSize;
    // The database prepares the next page while this one is replayed.
    if (hasMore) following = readPage({ id: page.id.at(-1)!, purchasedAt: page.purchasedAt.at(-1)! });
    // It is awaited after the replay. Until then its error is not an unhandled one.
    following.catch(() => {});
    for (let start = 0; start < length; start += partSize) {
      // The driver sends the statement only in the next turn of the event loop, and other requests are served.
      await setImmediate();
      yield purchasesOf(page, countries, start, Math.min(start + partSize, length));
    }
  }
}

/** The place of a purchase in the order of purchase. */
interface Position {
  id: string;
  purchasedAt: string;
}

async function readPastPage(
  db: Executor,
  { organizationId, cardId, cardsOfPolicyId, from, to }: PastFilter,
  after: Position | undefined,
  countries: Map<string, string>,
): Promise<PurchaseLists> {
  const { id, authorized, cleared, purchasedAt } = cardTransactions;
  const purchases = db
    .select(selected)
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        cardId === undefined ? undefined : eq(cardTransactions.cardId, cardId),
        cardsOfPolicyId === undefined
          ? undefined
          : inArray(cardTransactions.cardId, openCardsOf(db, organizationId, cardsOfPolicyId)),
        from === undefined ? undefined : gte(purchasedAt, from),
        lte(purchasedAt, to),
        or(gt(authorized, 0), gt(cleared, 0)),
        after && sql`(${purchasedAt}, ${id}) > (${after.purchasedAt}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(purchasedAt), asc(id))
    .limit(pageSize);
  const page = await readColumns<PurchaseLists>(db, purchases.getSQL(), selectedNames);
  await readCountries(db, organizationId, page.cardId, countries);
  return page;
}

const openCardsOf = (db: Executor, organizationId: string, policyId: string) =>
  db
    .select({ id: cards.id })
    .from(cards)
    .where(
      and(eq(cards.organizationId, organizationId), eq(cards.policyId, policyId), ne(cards.status, "CLOSED")),
    );

const named = (name: string, value: unknown) => sql`${value}`.as(name);

const selected = {
  id: named("id", cardTransactions.id),
  cardId: named("cardId", cardTransactions.cardId),
  authorized: named("authorized", cardTransactions.authorized),
  requested: named("requested", cardTransactions.requested),
  counted: named("counted", sql`${cardTransactions.held} + ${cardTransactions.cleared}`),
  currency: named("currency", cardTransactions.currency),
  merchantName: named("merchantName", cardTransactions.merchantName),
  merchantId: named("merchantId", cardTransactions.merchantId),
  merchantCategory: named("merchantCategory", cardTransactions.merchantCategory),
  merchantCountry: named("merchantCountry", cardTransactions.merchantCountry),
  channel: named("channel", cardTransactions.channel),
  purchasedAt: named("purchasedAt", cardTransactions.purchasedAt),
  localDay: named("localDay", cardTransactions.localDay),
};

type Selected = keyof typeof selected;
const selectedNames = Object.keys(selected) as Selected[];

type PurchaseLists = {
  [Column in Selected]: (Column extends "purchasedAt" ? string : PastPurchase[Column])[];
};

function purchasesOf(
  lists: PurchaseLists,
  countries: ReadonlyMap<string, string>,
  start: number,
  end: number,
): PastPurchase[] {
  const purchases: PastPurchase[] = [];
  for (let index = start; index < end; index += 1)
    purchases.push({
      id: lists.id[index]!,
      cardId: lists.cardId[index]!,
      cardCountry: countries.get(lists.cardId[index]!)!,
      authorized: lists.authorized[index]!,
      requested: lists.requested[index] ?? null,
      counted: lists.counted[index]!,
      currency: lists.currency[index]!,
      merchantName: lists.merchantName[index]!,
      merchantId: lists.merchantId[index] ?? null,
      merchantCategory: lists.merchantCategory[index] ?? null,
      merchantCountry: lists.merchantCountry[index] ?? null,
      channel: lists.channel[index]!,
      purchasedAt: Date.parse(lists.purchasedAt[index]!),
      localDay: lists.localDay[index]!,
    });
  return purchases;
}

/** Adds the countries of cards that are still unknown. Most are known from the page before. */
async function readCountries(
  db: Executor,
  organizationId: string,
  cardIds: readonly string[],
  countries: Map<string, string>,
): Promise<void> {
  const unknown = [...new Set(cardIds)].filter((cardId) => !countries.has(cardId));
  if (unknown.length === 0) return;
  const found = await db
    .select({ id: cards.id, country: cards.country })
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), inArray(cards.id, unknown)));
  for (const { id, country } of found) countries.set(id, country);
}
