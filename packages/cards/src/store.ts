import {
  type Executor,
  type TenantKey,
  type Transaction,
  cardCounters,
  cardPolicies,
  cardTransactions,
  cards,
  findInAnyOrganization,
  hasKey,
  isAmong,
  refersTo,
  searchAllOrganizations,
} from "@purser/db";
import { and, desc, eq, gt, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { CardStatus } from "./ports.ts";
import { transactionHolder } from "./transactions/store.ts";

export type CardRow = typeof cards.$inferSelect;

type IssuerColumn = "issuerReference" | "lastFour" | "expiryMonth" | "expiryYear" | "issuedAt";

/** A card that its issuer has made. These columns are set together. */
export type IssuedCardRow = CardRow & { [Column in IssuerColumn]: NonNullable<CardRow[Column]> };

/** Whether the issuer has made the card. Until then it is an intent, which no caller sees. */
export const isIssued = (card: CardRow): card is IssuedCardRow => card.issuedAt !== null;

/** Issued cards with their policies, newest first. */
export function listCardRows(
  db: Executor,
  organizationId: string,
  filter: {
    assignedToId: string | undefined;
    status: CardStatus | undefined;
    after: string | undefined;
    rows: number;
  },
) {
  const { assignedToId, status, after, rows } = filter;
  return db
    .select({
      id: cards.id,
      organizationId: cards.organizationId,
      assignedToId: cards.assignedToId,
      issuer: cards.issuer,
      nickname: cards.nickname,
      purpose: cards.purpose,
      status: cards.status,
      // An issued card has digits and an expiry.
      lastFour: sql<string>`${cards.lastFour}`,
      expiryMonth: sql<number>`${cards.expiryMonth}`,
      expiryYear: sql<number>`${cards.expiryYear}`,
      currency: cards.currency,
      timeZone: cards.timeZone,
      limits: {
        spendingLimit: cardPolicies.spendingLimit,
        limitInterval: cardPolicies.limitInterval,
        furtherLimits: cardPolicies.furtherLimits,
      },
      policy: { id: cardPolicies.id, name: cardPolicies.name, description: cardPolicies.description },
    })
    .from(cards)
    .innerJoin(cardPolicies, refersTo(cards, "policyId", cardPolicies))
    .where(
      and(
        eq(cards.organizationId, organizationId),
        isNotNull(cards.issuedAt),
        assignedToId === undefined ? undefined : eq(cards.assignedToId, assignedToId),
        status === undefined ? undefined : eq(cards.status, status),
        after === undefined ? undefined : lt(cards.id, after),
      ),
    )
    .orderBy(desc(cards.id))
    .limit(rows);
}

/** A window of a card: the counters of a period from the first one to the last one, each named by its first day. */
export interface CounterRange {
  cardId: string;
  name: string;
  period: (typeof cardCounters.$inferSelect)["period"];
  first: string;
  last: string;
}

/** What counts in these windows: for each card `{ "DAY 2026-03-02": 1250, … }`. Cards without a counter are missing. */
export async function listCounters(
  db: Executor,
  organizationId: string,
  ranges: readonly CounterRange[],
): Promise<Map<string, Record<string, number>>> {
  const rows = await db.execute<{ cardId: string; counters: Record<string, number> }>(sql`
    SELECT key."cardId", json_object_agg(name, least(used, ${Number.MAX_SAFE_INTEGER}::bigint)) AS counters
    FROM json_to_recordset(${JSON.stringify(ranges)}::json)
      AS key ("cardId" text, name text, period text, first date, last date), LATERAL (
      SELECT sum(used) AS used FROM ${cardCounters}
      WHERE ${cardCounters.organizationId} = ${organizationId} AND ${cardCounters.cardId} = key."cardId"
        AND ${cardCounters.period} = key.period AND ${cardCounters.startsOn} BETWEEN first AND last
    ) AS counter
    WHERE used IS NOT NULL
    GROUP BY key."cardId"`);
  return new Map(rows.map(({ cardId, counters }) => [cardId, counters]));
}

/** A card that has been issued. */
export async function findCard(db: Executor, key: TenantKey): Promise<IssuedCardRow | undefined> {
  const [card] = await db.select().from(cards).where(hasKey(cards, key));
  return card && isIssued(card) ? card : undefined;
}

/** Locks a card for a change, whether it has been issued or not. */
export async function lockCard(transaction: Transaction, key: TenantKey): Promise<CardRow | undefined> {
  const [card] = await transaction.select().from(cards).where(hasKey(cards, key)).for("no key update");
  return card;
}

/** Locks a card that has been issued. */
export async function lockIssuedCard(
  transaction: Transaction,
  key: TenantKey,
): Promise<IssuedCardRow | undefined> {
  const card = await lockCard(transaction, key);
  return card && isIssued(card) ? card : undefined;
}

export async function insertCard(transaction: Transaction, card: CardRow): Promise<void> {
  await transaction.insert(cards).values(card);
}

/** Changes a card and bumps its version: a decision may depend on the change. */
export async function setCard(
  transaction: Transaction,
  key: TenantKey,
  change: Partial<CardRow>,
): Promise<void> {
  await transaction
    .update(cards)
    .set({ ...change, version: sql`${cards.version} + 1` })
    .where(hasKey(cards, key));
}

/** Makes another account fund the cards of an account, those that are not issued yet included. Returns these cards. */
export async function moveFunding(
  transaction: Transaction,
  organizationId: string,
  { from, into, country }: { from: string; into: string; country: string },
): Promise<CardRow[]> {
  return transaction
    .update(cards)
    .set({ fundingAccountId: into, country, version: sql`${cards.version} + 1` })
    .where(and(eq(cards.organizationId, organizationId), eq(cards.fundingAccountId, from)))
    .returning();
}

/** Deletes a card that is not issued yet. Returns false if it is issued or gone. */
export async function deleteUnissued(transaction: Transaction, key: TenantKey): Promise<boolean> {
  const deleted = await transaction
    .delete(cards)
    .where(and(hasKey(cards, key), isNull(cards.issuedAt)))
    .returning({ id: cards.id });
  return deleted.length > 0;
}

/** A page of the ids of an organization's cards, closed ones and those that are not issued yet included. */
export async function listCardIds(
  db: Executor,
  organizationId: string,
  { after, rows }: { after: string | null; rows: number },
): Promise<string[]> {
  const found = await db
    .select({ id: cards.id })
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), after === null ? undefined : gt(cards.id, after)))
    .orderBy(cards.id)
    .limit(rows);
  return found.map(({ id }) => id);
}

/** Cards that were requested before this instant and are not issued yet. */
export function listUnissued(db: Executor, before: Date): Promise<CardRow[]> {
  return searchAllOrganizations(db, (all) =>
    all
      .select()
      .from(cards)
      .where(and(isNull(cards.issuedAt), lt(cards.createdAt, before)))
      .limit(100),
  );
}

export async function hasOpenCard(db: Executor, organizationId: string): Promise<boolean> {
  const some = await db
    .select({ id: cards.id })
    .from(cards)
    .where(
      and(eq(cards.organizationId, organizationId), isNotNull(cards.issuedAt), ne(cards.status, "CLOSED")),
    )
    .limit(1);
  return some.length > 0;
}

/** The cards of an assignee that are not closed. */
export async function listOpenCardsOf(
  db: Executor,
  organizationId: string,
  userId: string,
): Promise<IssuedCardRow[]> {
  const rows = await db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, organizationId),
        eq(cards.assignedToId, userId),
        isNotNull(cards.issuedAt),
        ne(cards.status, "CLOSED"),
      ),
    )
    .orderBy(cards.id);
  return rows.filter(isIssued);
}

/** The issuer's id of the newest other card, open or closed, that the issuer of a card issued to its assignee. */
export async function findEarlierCard(
  db: Executor,
  { organizationId, id, issuer, assignedToId }: CardRow,
): Promise<string | undefined> {
  const [card] = await db
    .select({ reference: cards.issuerReference })
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, organizationId),
        eq(cards.assignedToId, assignedToId),
        eq(cards.issuer, issuer),
        isNotNull(cards.issuedAt),
        // Not one that was issued to another person.
        isNull(cards.firstHolderId),
        ne(cards.id, id),
      ),
    )
    .orderBy(desc(cards.id))
    .limit(1);
  return card?.reference ?? undefined;
}

/** Whether a user holds or held a card, or one is being issued to them. */
export async function hasCardOf(db: Executor, organizationId: string, userId: string): Promise<boolean> {
  const some = await db
    .select({ id: cards.id })
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), eq(cards.assignedToId, userId)))
    .limit(1);
  return some.length > 0;
}

export async function policyExists(db: Executor, organizationId: string, id: string): Promise<boolean> {
  const found = await db
    .select({ id: cardPolicies.id })
    .from(cardPolicies)
    .where(hasKey(cardPolicies, { organizationId, id }));
  return found.length > 0;
}

const holderColumns = { organizationId: cards.organizationId, assignedToId: cards.assignedToId };

/** A card by its id, in one of these organizations. */
export async function findCardIn(db: Executor, organizationIds: string[], id: string) {
  const [card] = await findInAnyOrganization(db, (any) =>
    any
      .select(holderColumns)
      .from(cards)
      .where(
        and(isAmong(cards.organizationId, organizationIds), eq(cards.id, id), isNotNull(cards.issuedAt)),
      ),
  );
  return card;
}

/** The organization and the holder of a transaction by its id, in one of these organizations. */
export async function findCardOfTransactionIn(db: Executor, organizationIds: string[], id: string) {
  const [card] = await findInAnyOrganization(db, (any) =>
    any
      .select({ organizationId: cards.organizationId, assignedToId: transactionHolder })
      .from(cardTransactions)
      .innerJoin(cards, refersTo(cardTransactions, "cardId", cards))
      .where(
        and(
          isAmong(cardTransactions.organizationId, organizationIds),
          eq(cardTransactions.id, id),
          isNotNull(cards.issuedAt),
        ),
      ),
  );
  return card;
}

/** A card of a member, and since when it is theirs; null since the card exists. */
export interface CardAssignment {
  cardId: string;
  since: Date | null;
}

/** Lists the cards that are assigned to a user now, also the closed ones. */
export function listAssignments(
  db: Executor,
  organizationId: string,
  assignedToId: string,
): Promise<CardAssignment[]> {
  return db
    .select({ cardId: cards.id, since: cards.assignedAt })
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), eq(cards.assignedToId, assignedToId)));
}
