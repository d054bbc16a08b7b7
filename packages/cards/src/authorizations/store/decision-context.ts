import { cardLimitsOf, utcDay } from "@purser/core";
import {
  type Database,
  type Executor,
  cardCounters,
  cardLedgerEntries,
  cardPolicies,
  cardTransactions,
  cards,
  findInAnyOrganization,
  hasMoved,
  prepareOnce,
} from "@purser/db";
import { partialApprovalsWhere } from "@purser/organizations";
import { type Platform, perPool } from "@purser/platform";
import { type SQL, and, eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { policyTermColumns } from "../../policies/store/policies.ts";
import type { IssuerName } from "../../ports.ts";

// Everything that a decision reads: first which database has the card, which this process remembers, and then one query.

/** A card, by the issuer's id. */
export interface CardReference {
  issuer: IssuerName;
  reference: string;
}

/** The key of a card in a map. The row of a card that is not issued yet has no reference. */
export const cardKeyOf = ({ issuer, reference }: { issuer: string; reference: string | null }) =>
  `${issuer} ${reference}`;

/** Reads the context of decisions on one card: what they depend on, and which of the messages are on record. */
export interface DecisionQuery extends CardReference {
  /** An instant near the purchases. In every time zone they fall on its UTC day or a neighboring one. */
  at: Date;
  /** The network's ids of the messages, and of the authorizations that they name. */
  networkIds: readonly string[];
  authorizations: readonly string[];
  /** Reads what counts in the year and in all time, even if the card's policy has no such limit. */
  everyWindow: boolean;
}

/** The database that stores decisions on a card. */
export interface DecisionDatabase {
  db: Database;
  /** The organization of the card. Null on one PostgreSQL, which finds it by the card. */
  organizationId: string | null;
  /**
   * The only organization of a batch where Citus finds the node of a statement, because nothing else reaches it. Null on one
   * PostgreSQL, and on a shard of a cluster: there a statement reaches the cards of all organizations.
   */
  batchOf: string | null;
}

/** Finds the database that stores decisions on a card; undefined for an unknown card on a distributed database. */
export async function findDecisionDatabase(
  { decisionDb, nodes }: Pick<Platform, "decisionDb" | "nodes">,
  card: CardReference,
): Promise<DecisionDatabase | undefined> {
  if (nodes === null) return { db: decisionDb, organizationId: null, batchOf: null };
  const organizationId = await findCardOrganization(decisionDb, card);
  if (organizationId === undefined) return undefined;
  const db = await nodes.decisions.poolOf(organizationId);
  return { db, organizationId, batchOf: db === decisionDb ? organizationId : null };
}

/**
 * Runs work in the database that stores decisions on a card; without one for an unknown card on a distributed database. Runs it
 * again in the new place of a card that has moved, where the first attempt had no effect.
 */
export async function inDecisionDatabase<Result>(
  platform: Pick<Platform, "decisionDb" | "nodes">,
  card: CardReference,
  work: (found: DecisionDatabase | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await findDecisionDatabase(platform, card));
  } catch (error) {
    if (!hasMoved(error)) throw error;
    return work(await findDecisionDatabase(platform, card));
  }
}

/**
 * The organizations of cards that this process has met, by database, issuer and reference. A card keeps its own. The map
 * holds the queries, so that concurrent purchases with a card send one, and stay in their order.
 */
const knownOrganizations = perPool(() => new Map<string, Promise<string | undefined>>());
const maxKnownOrganizations = 100_000;

/** Finds the organization of a card, with a query only for a card that is new to this process. */
export async function findCardOrganization(db: Database, card: CardReference): Promise<string | undefined> {
  const known = knownOrganizations(db);
  const key = cardKeyOf(card);
  const found = known.get(key) ?? lookUpOrganization(db, card);
  if (known.size === maxKnownOrganizations) known.clear();
  known.set(key, found);
  try {
    const organization = await found;
    // The issuer may create the card in a moment.
    if (organization === undefined) known.delete(key);
    return organization;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

async function lookUpOrganization(db: Database, { issuer, reference }: CardReference) {
  const [card] = await findInAnyOrganization(db, (any) =>
    any
      .select({ organizationId: cards.organizationId })
      .from(cards)
      .where(and(eq(cards.issuer, issuer), eq(cards.issuerReference, reference))),
  );
  return card?.organizationId;
}

/** Everything that a decision on one card depends on; undefined for an unknown card. */
export async function findDecisionContext(
  db: Executor,
  {
    at,
    everyWindow = false,
    organizationId = null,
    ...reference
  }: CardReference & { at: Date; everyWindow?: boolean; organizationId?: string | null },
) {
  const query = { ...reference, at, networkIds: [], authorizations: [], everyWindow };
  const [found] = await findDecisionContexts(db, [query], organizationId);
  return found;
}

export type DecisionContext = NonNullable<Awaited<ReturnType<typeof findDecisionContext>>>;

/**
 * The contexts of many cards in one query, in any order, without the unknown cards. If all cards are of one organization,
 * the query names it at every table, so that a distributed database asks the server that has them.
 */
export async function findDecisionContexts(
  db: Executor,
  queries: readonly DecisionQuery[],
  organizationId: string | null = null,
) {
  const rows = queries.map(({ at, ...query }) => ({ ...query, day: utcDay(at) }));
  const parameters = { queries: JSON.stringify(rows), organization: organizationId };
  const contexts = organizationId === null ? contextsOfAny : contextsOfOne;
  const found = await contexts(db).execute(parameters);
  return found.map((context) => {
    return { ...context, policy: { ...context.policy, limits: cardLimitsOf(context.policy) } };
  });
}

const query = sql`json_to_recordset(${sql.placeholder("queries")}::json)
  AS query (issuer text, reference text, day date, "networkIds" text[], authorizations text[],
    "everyWindow" boolean)`;

/** Compares with the organization of the card, or of all cards. */
type Within = (organizationId: PgColumn) => SQL;
const withinThatOfCard: Within = (organizationId) => sql`${organizationId} = ${cards.organizationId}`;
const withinOne: Within = (organizationId) => sql`${organizationId} = ${sql.placeholder("organization")}`;

const ofThisCard = (
  within: Within,
  table: typeof cardCounters | typeof cardLedgerEntries | typeof cardTransactions,
) => sql`${within(table.organizationId)} AND ${table.cardId} = ${cards.id}`;

/**
 * What counts in the windows that a purchase can fall in, as `{ "DAY 2026-03-02": 1250, … }`. The exact windows depend
 * on the time zone, which this same query reads, so read those of the UTC day and of its neighbors. Each counter is
 * looked up by its whole key, so an old card costs no more than a new one. The limit keeps PostgreSQL from reading all
 * counters of the card instead. The year and all time are sums of months, read only for a policy that limits them.
 */
const countersAround = (within: Within) => sql<Record<string, number> | null>`(
  SELECT json_object_agg(name, used) FROM (
    SELECT period || ' ' || first_day AS name, used
    FROM (VALUES
      ('DAY', query.day - 1), ('DAY', query.day), ('DAY', query.day + 1),
      ('WEEK', date_trunc('week', (query.day - 1)::timestamp)::date),
      ('WEEK', date_trunc('week', (query.day + 1)::timestamp)::date),
      ('MONTH', date_trunc('month', (query.day - 1)::timestamp)::date),
      ('MONTH', date_trunc('month', (query.day + 1)::timestamp)::date)
    ) AS around (period, first_day), LATERAL (
      SELECT used FROM ${cardCounters}
      WHERE ${ofThisCard(within, cardCounters)} AND ${cardCounters.period} = around.period
        AND ${cardCounters.startsOn} = around.first_day
      LIMIT 1
    ) AS counter
    UNION ALL
    SELECT coalesce('YEAR ' || first_day, kind), least(sum, ${sql.raw(String(Number.MAX_SAFE_INTEGER))})
    FROM (VALUES
      ('YEARLY', date_trunc('year', (query.day - 1)::timestamp)::date),
      ('YEARLY', date_trunc('year', (query.day + 1)::timestamp)::date),
      ('ALL_TIME', NULL)
    ) AS long (kind, first_day), LATERAL (
      SELECT sum(used) FROM ${cardCounters}
      WHERE ${ofThisCard(within, cardCounters)} AND ${cardCounters.period} = 'MONTH'
        AND ${cardCounters.startsOn} BETWEEN coalesce(first_day, '-infinity')
          AND coalesce((first_day + interval '11 months')::date, 'infinity')
    ) AS months
    WHERE sum IS NOT NULL AND (query."everyWindow"
      OR ${cardPolicies.furtherLimits} @> jsonb_build_array(jsonb_build_object('interval', kind)))
  ) AS counted
)`;

/**
 * The ids that are already on record for the card. Each is looked up as the first entry at or after the id: for that
 * order PostgreSQL uses the index on the names even while its statistics say that the table is empty.
 */
const known = (
  within: Within,
  table: typeof cardLedgerEntries | typeof cardTransactions,
  column: PgColumn,
  names: SQL,
) =>
  sql<string[]>`ARRAY(
    SELECT name FROM unnest(${names}) AS name, LATERAL (
      SELECT ${column} AS first FROM ${table} WHERE ${ofThisCard(within, table)} AND ${column} >= name
      ORDER BY ${column} LIMIT 1
    ) AS found WHERE first = name
  )`;

/** The card's holder, or null for its first one, as transactions store it. */
export const laterHolder = sql<string | null>`(
  CASE WHEN ${cards.firstHolderId} <> ${cards.assignedToId} THEN ${cards.assignedToId} END
)`;

const contextsOfAny = prepareOnce((db) => decisionContexts(db, withinThatOfCard));
const contextsOfOne = prepareOnce((db) => decisionContexts(db, withinOne));

function decisionContexts(db: Executor, within: Within) {
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
        countersVersion: cards.countersVersion,
        policyId: cards.policyId,
        holderId: laterHolder.as("later_holder"),
        policyVersion: sql<number>`${cardPolicies.version}`.as("policy_version"),
      },
      issuer: cards.issuer,
      reference: cards.issuerReference,
      policy: policyTermColumns,
      timeZone: cards.timeZone,
      partialApprovals: partialApprovalsWhere(within).as("partial_approvals"),
      counters: countersAround(within).as("counters"),
      knownMessages: known(
        within,
        cardLedgerEntries,
        cardLedgerEntries.networkId,
        sql`query."networkIds"`,
      ).as("known_messages"),
      knownAuthorizations: known(
        within,
        cardTransactions,
        cardTransactions.authorizationReference,
        sql`query.authorizations`,
      ).as("known_authorizations"),
    })
    .from(cards)
    .innerJoin(cardPolicies, and(within(cardPolicies.organizationId), eq(cardPolicies.id, cards.policyId)))
    .where(
      and(
        within === withinOne ? within(cards.organizationId) : undefined,
        sql`${cards.issuer} = query.issuer`,
        sql`${cards.issuerReference} = query.reference`,
        isNotNull(cards.issuedAt),
      ),
    )
    // The reference is unique. The limit makes PostgreSQL look up each card by index, whatever its row estimate.
    .limit(1)
    .as("found");
  return db
    .select({ ...found._.selectedFields })
    .from(query)
    .crossJoinLateral(found);
}
