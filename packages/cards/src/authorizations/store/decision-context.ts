import {
  type Executor,
  cardCounters,
  cardEvents,
  cardPolicies,
  cardTransactions,
  cards,
  organizations,
  prepareOnce,
} from "@purser/db";
import { type SQL, and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { IssuerName } from "../../ports.ts";
import type { EventRow, TransactionRow } from "./decide.ts";

/** The issuer's name of a card. */
export interface CardReference {
  issuer: IssuerName;
  reference: string;
}

/** Reads the context of decisions on one card: what they depend on, and which of the messages are on record. */
export interface DecisionQuery extends CardReference {
  /** An instant near the purchases. In every time zone they fall on its UTC day or a neighboring one. */
  at: Date;
  /** The network's ids of the messages, and of the authorizations that they name. */
  networkIds: readonly string[];
  authorizations: readonly string[];
}

/** Everything that a decision on one card depends on; undefined for an unknown card. */
export async function findDecisionContext(db: Executor, reference: CardReference, at: Date) {
  const [found] = await findDecisionContexts(db, [{ ...reference, at, networkIds: [], authorizations: [] }]);
  return found;
}

export type DecisionContext = NonNullable<Awaited<ReturnType<typeof findDecisionContext>>>;

/** The contexts of many cards in one query, in any order, without the unknown cards. */
export async function findDecisionContexts(db: Executor, queries: readonly DecisionQuery[]) {
  const rows = queries.map(({ at, ...query }) => ({ ...query, day: at.toISOString().slice(0, 10) }));
  return decisionContexts(db).execute({ queries: JSON.stringify(rows) });
}

const query = sql`json_to_recordset(${sql.placeholder("queries")}::json)
  AS query (issuer text, reference text, day date, "networkIds" text[], authorizations text[])`;

const ofThisCard = (table: typeof cardCounters | typeof cardEvents | typeof cardTransactions) =>
  sql`${table.organizationId} = ${cards.organizationId} AND ${table.cardId} = ${cards.id}`;

/**
 * What counts in the windows that a purchase can fall in, as `{ "DAY 2026-03-02": 1250, … }`. The exact windows depend
 * on the time zone, which this same query reads, so read those of the UTC day and of its neighbors.
 */
const countersAround = sql<Record<string, number> | null>`(
  SELECT json_object_agg(period || ' ' || starts_on, used)
  FROM ${cardCounters}
  WHERE ${ofThisCard(cardCounters)} AND ${cardCounters.startsOn} <= query.day + 1
    AND ${cardCounters.startsOn} >= query.day
      - CASE ${cardCounters.period} WHEN 'DAY' THEN 1 WHEN 'WEEK' THEN 7 ELSE 31 END
)`;

/**
 * The names that a table already has for the card. Each is looked up as the first entry at or after the name: for that
 * order PostgreSQL uses the index on the names even while its statistics say that the table is empty.
 */
const known = (table: typeof cardEvents | typeof cardTransactions, column: PgColumn, names: SQL) =>
  sql<string[]>`ARRAY(
    SELECT name FROM unnest(${names}) AS name, LATERAL (
      SELECT ${column} AS first FROM ${table} WHERE ${ofThisCard(table)} AND ${column} >= name
      ORDER BY ${column} LIMIT 1
    ) AS found WHERE first = name
  )`;

const decisionContexts = prepareOnce((db) => {
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
      knownMessages: known(cardEvents, cardEvents.networkId, sql`query."networkIds"`).as("known_messages"),
      knownAuthorizations: known(
        cardTransactions,
        cardTransactions.authorizationReference,
        sql`query.authorizations`,
      ).as("known_authorizations"),
    })
    .from(cards)
    .innerJoin(
      cardPolicies,
      and(eq(cardPolicies.organizationId, cards.organizationId), eq(cardPolicies.id, cards.policyId)),
    )
    // The one table of another area that this query reads: a second query would double the time of a decision.
    .innerJoin(organizations, eq(organizations.id, cards.organizationId))
    .where(
      and(
        sql`${cards.issuer} = query.issuer`,
        sql`${cards.issuerReference} = query.reference`,
        isNotNull(cards.issuedAt),
      ),
    )
    // The reference is unique. The limit makes PostgreSQL look up each card by index, whatever its row estimate.
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
    .from(query)
    .crossJoinLateral(found);
});

/** The id of the event that withdraws the approval of a message. */
export const withdrawalOf = (networkId: string) => `${networkId}:late`;

/** The id of the event that records the network's own decision on a message. */
export const adviceOf = (networkId: string) => `${networkId}:advice`;

/** The event that a network message became, with its transaction. */
export interface StoredMessage {
  event: EventRow;
  transaction: TransactionRow;
  /** Whether it was an approval that has been withdrawn. */
  withdrawn: boolean;
  /** Whether the network decided by itself. Then `event` is its decision, whatever ours was. */
  advised: boolean;
}

/** Finds what became of a message of this card; undefined if it is not on record. */
export async function findByMessage(
  db: Executor,
  { organizationId, id: cardId }: { organizationId: string; id: string },
  networkId: string,
): Promise<StoredMessage | undefined> {
  const names = [adviceOf(networkId), networkId, withdrawalOf(networkId)];
  const found = await db
    .select({ event: cardEvents, transaction: cardTransactions })
    .from(cardEvents)
    .innerJoin(
      cardTransactions,
      and(
        eq(cardTransactions.organizationId, cardEvents.organizationId),
        eq(cardTransactions.id, cardEvents.transactionId),
      ),
    )
    .where(
      and(
        eq(cardEvents.organizationId, organizationId),
        eq(cardEvents.cardId, cardId),
        inArray(cardEvents.networkId, names),
      ),
    );
  const [advice, message, withdrawal] = names.map((name) =>
    found.find(({ event }) => event.networkId === name),
  );
  const last = advice ?? message;
  if (last === undefined) return undefined;
  return { ...last, advised: advice !== undefined, withdrawn: !advice && withdrawal !== undefined };
}
