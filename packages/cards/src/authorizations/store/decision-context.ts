import {
  type Executor,
  cardCounters,
  cardEvents,
  cardPolicies,
  cardTransactions,
  cards,
  organizations,
  prepared,
} from "@purser/db";
import { type SQL, and, eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Names a card for the network. */
export interface CardReference {
  issuer: "sandbox" | "stripe" | "lithic";
  reference: string;
}

/** What is asked of a card before purchases are decided on: what they depend on, and what of them is on record. */
export interface DecisionQuery extends CardReference {
  /** An instant near the purchases: in every time zone they are made on its day in UTC, or on one beside it. */
  at: Date;
  /** What the network calls its messages, and the purchases that they are about. */
  networkIds: readonly string[];
  authorizations: readonly string[];
}

/** A card with everything that a decision on it depends on, as it is at this moment. */
export async function findDecisionContext(db: Executor, reference: CardReference, at: Date) {
  const [found] = await findDecidables(db, [{ ...reference, at, networkIds: [], authorizations: [] }]);
  return found;
}

export type DecisionContext = NonNullable<Awaited<ReturnType<typeof findDecisionContext>>>;

/** The cards that are asked about and exist, in any order. */
export async function findDecidables(db: Executor, questions: readonly DecisionQuery[]) {
  const asked = questions.map(({ at, ...question }) => ({ ...question, day: at.toISOString().slice(0, 10) }));
  return decidableCards(db).execute({ asked: JSON.stringify(asked) });
}

const asked = sql`json_to_recordset(${sql.placeholder("asked")}::json)
  AS asked (issuer text, reference text, day date, "networkIds" text[], authorizations text[])`;

const ofTheCard = (table: typeof cardCounters | typeof cardEvents | typeof cardTransactions) =>
  sql`${table.organizationId} = ${cards.organizationId} AND ${table.cardId} = ${cards.id}`;

/**
 * What was spent in the windows that may be meant, as `{ "DAY 2026-03-02": 1250, … }`. Which ones they are depends on
 * the time zone, which this very query reads; in whatever zone, the day is this one in UTC, or beside it.
 */
const countersAround = sql<Record<string, number> | null>`(
  SELECT json_object_agg(period || ' ' || starts_on, used)
  FROM ${cardCounters}
  WHERE ${ofTheCard(cardCounters)} AND ${cardCounters.startsOn} <= asked.day + 1
    AND ${cardCounters.startsOn} >= asked.day
      - CASE ${cardCounters.period} WHEN 'DAY' THEN 1 WHEN 'WEEK' THEN 7 ELSE 31 END
)`;

/**
 * Those of some names that a table has on record for the card. Each is looked up as the first from there on: for that
 * order PostgreSQL takes the index of the names also while it believes, of a table that was empty a moment ago, that
 * any other index would do.
 */
const known = (table: typeof cardEvents | typeof cardTransactions, column: PgColumn, names: SQL) =>
  sql<string[]>`ARRAY(
    SELECT name FROM unnest(${names}) AS name, LATERAL (
      SELECT ${column} AS first FROM ${table} WHERE ${ofTheCard(table)} AND ${column} >= name
      ORDER BY ${column} LIMIT 1
    ) AS found WHERE first = name
  )`;

const decidableCards = prepared((db) => {
  const found = db
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
      issuer: cards.issuer,
      reference: cards.issuerReference,
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
      counters: countersAround.as("counters"),
      knownMessages: known(cardEvents, cardEvents.networkId, sql`asked."networkIds"`).as("known_messages"),
      knownAuthorizations: known(
        cardTransactions,
        cardTransactions.authorizationReference,
        sql`asked.authorizations`,
      ).as("known_authorizations"),
    })
    .from(cards)
    .innerJoin(
      cardPolicies,
      and(eq(cardPolicies.organizationId, cards.organizationId), eq(cardPolicies.id, cards.policyId)),
    )
    // An exception to the rule that only organizations reads its tables: a decision takes one query.
    .innerJoin(organizations, eq(organizations.id, cards.organizationId))
    .where(
      and(
        sql`${cards.issuer} = asked.issuer`,
        sql`${cards.issuerReference} = asked.reference`,
        isNotNull(cards.issuedAt),
      ),
    )
    // There is no other; but with a limit PostgreSQL looks the cards up one by one, however many it expects.
    .limit(1)
    .as("found");
  return db
    .select({
      card: found.card,
      issuer: found.issuer,
      reference: found.reference,
      policy: found.policy,
      timeZone: found.timeZone,
      counters: found.counters,
      knownMessages: found.knownMessages,
      knownAuthorizations: found.knownAuthorizations,
    })
    .from(asked)
    .crossJoinLateral(found);
});
