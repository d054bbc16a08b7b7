import { type EventType, eventSubjects, eventTypes, firstIdAt } from "@purser/core";
import {
  type Database,
  type Executor,
  deleteInBatches,
  eventEras,
  events,
  findInAnyOrganization,
  mostCommonEventType,
  notMostCommonType,
  organizations,
} from "@purser/db";
import { createdEventId } from "@purser/platform/events";
import { type SQL, type SQLWrapper, and, desc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";
import { type FeedPosition, feedStart } from "./feed/position.ts";
import { type Visibility, cardholderTypes } from "./visibility.ts";

/**
 * How many events a page looks at if it may show only some of them. It bounds the work for a caller who sees few of many:
 * the page is then shorter, and the next one continues after what was looked at.
 */
const maxScan = 5000;

/**
 * A page ends with the event whose data reaches this size. A policy with long lists makes events of hundreds of kilobytes,
 * so the number of events alone bounds no memory.
 */
export const pageOctets = 2 ** 20;

const positionColumns = {
  era: events.era,
  transactionId: events.transactionId,
  recordedAt: events.recordedAt,
  id: events.id,
} satisfies Record<keyof FeedPosition, unknown>;
const feedOrder = Object.values(positionColumns);
const inFeedOrder = sql`ORDER BY ${sql.join(feedOrder, sql`, `)}`;

export interface EventFilter {
  organizationId: string;
  visibility: Visibility;
  types: readonly EventType[];
}

/** A type, because a row of a query has an index signature. */
type ScannedEvent = Pick<FeedPosition, keyof FeedPosition> & {
  isOnPage: boolean;
  /** The events looked at, and those of them that may be shown. */
  total: number;
  shown: number;
};

/** What a page shows, and how far it has looked. */
export interface ScannedPage {
  ids: readonly string[];
  /** The position that the next page continues after; null if there was nothing to look at. */
  last: FeedPosition | null;
  hasMore: boolean;
}

/**
 * Looks at the events after a position in the order of the feed, up to the oldest transaction that is still running.
 * What this shows is complete for ever, because no event can appear before it any more.
 */
export function scanFeed(
  db: Executor,
  filter: EventFilter,
  { after, firstEra, limit }: { after: FeedPosition; firstEra: number; limit: number },
): Promise<ScannedPage> {
  const shown = and(isVisibleTo(filter.visibility), isOneOfTypes(filter.types));
  const order = sql.raw("era, transaction_id, recorded_at, id");
  const source = sql`
    FROM ${events} AS event WHERE organization_id = ${filter.organizationId}
      AND (${order}) > (${after.era}::int, ${after.transactionId}::xid8, ${after.recordedAt}::bigint, ${after.id})
      AND (era < ${firstEra}::int OR transaction_id < (SELECT feed_horizon()))`;
  return scan(db, { source, order, shown, limit });
}

/** Looks at the newest events before an id, also at those of transactions that may have been overtaken. */
export function scanNewest(
  db: Executor,
  filter: EventFilter,
  { before, subject, limit }: { before: string | undefined; subject: string | undefined; limit: number },
): Promise<ScannedPage> {
  const shown = isVisibleTo(filter.visibility);
  const order = sql.raw("id DESC");
  const rows = sql.raw(String(shown === undefined ? limit + 1 : maxScan));
  const newest = (condition: SQL) => sql`(SELECT * FROM ${events} AS one
    WHERE organization_id = ${filter.organizationId} ${before === undefined ? sql`` : sql`AND id < ${before}`}
    AND ${condition} ORDER BY ${order} LIMIT ${rows})`;
  const parts = partsOf(filter, subject).flatMap(({ types, part }) => ofTypes(types, part, newest));
  const source = sql`FROM (${sql.join(parts, sql` UNION ALL `)}) AS event`;
  return scan(db, { source, order, shown, limit });
}

/** Which events a list looks for, of which types; of all types if there are none. */
interface Part {
  types: readonly EventType[];
  part: SQL;
}

/** Those of a subject that are not indexed by it are found by their types or by their id. */
function partsOf({ organizationId, types }: EventFilter, subject: string | undefined): Part[] {
  if (subject === undefined) return [{ types, part: sql`true` }];
  const indexed = { types, part: sql`subject_id = ${subject} AND is_indexed_by_subject` };
  const others = sql`subject_id = ${subject} AND NOT is_indexed_by_subject`;
  if (subject !== organizationId)
    return [indexed, { types, part: sql`id = ${createdEventId(subject)} AND ${others}` }];
  const ofOrganization = organizationTypes.filter((type) => types.length === 0 || types.includes(type));
  return ofOrganization.length === 0 ? [indexed] : [indexed, { types: ofOrganization, part: others }];
}

const organizationTypes = eventTypes.filter((type) => eventSubjects[type] === "organization");

/** The newest of each type by its index. It lacks the most common type, which the newest of all mostly are. */
function ofTypes(types: readonly EventType[], part: SQL, newest: (condition: SQL) => SQL): SQL[] {
  if (types.length === 0) return [newest(part)];
  const indexed = [...new Set(types)].filter((type) => type !== mostCommonEventType);
  const ofType = newest(sql`${part} AND one.type = wanted.type AND ${sql.raw(notMostCommonType)}`);
  const each = sql`SELECT event.* FROM unnest(${sql.param(indexed)}::text[]) AS wanted (type), LATERAL ${ofType} AS event`;
  return [
    ...(indexed.length > 0 ? [each] : []),
    ...(types.includes(mostCommonEventType) ? [newest(sql`${part} AND type = ${mostCommonEventType}`)] : []),
  ];
}

interface ScanQuery {
  /** The rows to look at: FROM, and WHERE. */
  source: SQL;
  order: SQL;
  /** Which of them are shown; undefined for all. */
  shown: SQL | undefined;
  limit: number;
}

async function scan(db: Executor, { source, order, shown, limit }: ScanQuery): Promise<ScannedPage> {
  const rows = shown === undefined ? limit + 1 : Math.max(maxScan, limit + 1);
  const found = await db.execute<ScannedEvent>(sql`
    SELECT id, era, transaction_id::text AS "transactionId", recorded_at::float8 AS "recordedAt", is_on_page AS "isOnPage",
      total, shown_total AS shown
    FROM (
      SELECT id, era, transaction_id, recorded_at, count(*) OVER ()::int AS total, row_number() OVER numbered AS place,
        (count(*) FILTER (WHERE shown) OVER ())::int AS shown_total,
        shown AND count(*) FILTER (WHERE shown) OVER numbered <= ${limit}::int
          AND sum(octets) FILTER (WHERE shown) OVER numbered - octets < ${pageOctets}::int AS is_on_page
      FROM (
        SELECT id, era, transaction_id, recorded_at, octet_length(data) AS octets, ${shown ?? sql.raw("true")} AS shown
        ${source} ORDER BY ${order} LIMIT ${rows}::int
      ) AS looked
      WINDOW numbered AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) AS counted WHERE is_on_page OR place = total
    ORDER BY ${order}`);
  const page = found.filter(({ isOnPage }) => isOnPage);
  const [first] = found;
  const isFull = first !== undefined && page.length < first.shown;
  const last = (isFull ? page : found).at(-1) ?? null;
  const hasMore = isFull || (shown !== undefined && first?.total === rows);
  return { ids: page.map(({ id }) => id), last, hasMore };
}

function isVisibleTo(visibility: Visibility): SQL | undefined {
  if (visibility === "all") return undefined;
  const { cards, hiddenTypes } = visibility;
  const since = cards.map((card) => card.since?.toISOString() ?? "-infinity");
  return sql`(type <> ALL(${sql.param(hiddenTypes)}::text[])
    AND (card_id IS NOT NULL OR type <> ALL(${sql.param(cardholderTypes)}::text[])) AND (card_id IS NULL OR EXISTS (
    SELECT FROM unnest(${sql.param(cards.map(({ cardId }) => cardId))}::text[], ${sql.param(since)}::text[])
      AS held (id, since) WHERE held.id = card_id AND created_at >= held.since::timestamptz)))`;
}

const isOneOfTypes = (types: readonly EventType[]): SQL | undefined =>
  types.length === 0 ? undefined : sql`type = ANY(${sql.param(types)}::text[])`;

/** Returns the events with these ids, in the order of the ids. */
export async function readEvents(db: Executor, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const found = await db
    .select()
    .from(events)
    .where(and(eq(events.organizationId, organizationId), inArray(events.id, [...ids])));
  const byId = new Map(found.map((event) => [event.id, event]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export type StoredEvent = typeof events.$inferSelect;

/** The next events of an organization for its streams, in the order of the feed. */
export interface TailPage {
  events: readonly StoredEvent[];
  /** Whether there are more that can be read at once. */
  hasMore: boolean;
  /** Whether there are events that a transaction which is still running may precede. */
  isBlocked: boolean;
}

/** Reads all events after a position, whatever their visibility, as far as `scanFeed` does. */
export async function readTail(
  db: Executor,
  organizationId: string,
  { after, firstEra, limit }: { after: FeedPosition; firstEra: number; limit: number },
): Promise<TailPage> {
  // Named like the table, whose columns then also read the rows of the subquery.
  const next = db
    .select({ ...getTableColumns(events), isFinal: isFinal(firstEra).as("is_final") })
    .from(events)
    .where(and(eq(events.organizationId, organizationId), isAfter(after)))
    .orderBy(...feedOrder)
    .limit(limit)
    .as("events");
  const isOnPage = sql<boolean>`(${next.isFinal} AND ${isWithinOctets(pageOctets, events.data, inFeedOrder)})`;
  const found = await db
    .select({ ...getTableColumns(events), data: dataIf(isOnPage, events.data), isFinal: next.isFinal })
    .from(next)
    .orderBy(...feedOrder);
  const page = found.filter((row): row is typeof row & { data: string } => row.data !== null);
  const final = found.filter((row) => row.isFinal);
  const isBlocked = final.length < found.length;
  const hasMore = page.length < final.length || (!isBlocked && found.length === limit);
  return { events: page, hasMore, isBlocked };
}

/**
 * Whether the data of the rows before a row, in the order of a window, have less than this size. True for the first row,
 * however large. PostgreSQL knows the size of a value without reading it.
 */
export function isWithinOctets(octets: number, data: SQLWrapper, window: SQL): SQL<boolean> {
  const size = sql`coalesce(octet_length(${data}), 0)`;
  return sql<boolean>`sum(${size}) OVER (${window} ROWS UNBOUNDED PRECEDING) - ${size} < ${octets}::int`;
}

/** The data of an event; null if the condition does not hold: then they are neither read nor sent. */
export const dataIf = (condition: SQL<boolean>, data: SQLWrapper): SQL<string | null> =>
  sql<string | null>`CASE WHEN ${condition} THEN ${data} END`;

/** Returns the place after everything that the feed shows at present. */
export async function findFeedEnd(
  db: Executor,
  organizationId: string,
  firstEra: number,
): Promise<FeedPosition> {
  const [last] = await db
    .select(positionColumns)
    .from(events)
    .where(and(eq(events.organizationId, organizationId), isFinal(firstEra)))
    .orderBy(...feedOrder.map((column) => desc(column)))
    .limit(1);
  return last ?? feedStart;
}

/**
 * Returns the ids of the events after a position that have happened, also of those that the feed does not show yet. There
 * are few, unless another transaction has held the feed up for long.
 */
export async function findIdsAfter(
  db: Executor,
  organizationId: string,
  position: FeedPosition,
): Promise<string[]> {
  const found = await db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.organizationId, organizationId), isAfter(position)))
    .limit(maxScan);
  return found.map(({ id }) => id);
}

/**
 * Whether a position is ahead of every transaction of this server, so that a copy of the database has given it. Must be asked
 * of the primary. A standby does not know it, and may show a transaction before the primary does: so it may be unfinished.
 */
export async function isAhead(db: Executor, { era, transactionId }: FeedPosition): Promise<boolean> {
  const [row] = await db.execute<{ isAhead: boolean }>(sql`
    SELECT CASE WHEN pg_is_in_recovery() THEN false ELSE
      (${era}::int, ${transactionId}::xid8) >= (era - timeline + server_timeline(), CASE
        -- On timeline zero, the ids are those of several servers.
        WHEN server_timeline() = 0 OR ${transactionId}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
          THEN '18446744073709551615'::xid8
        -- Takes an id, but only for a position that is most likely ahead.
        ELSE pg_current_xact_id() END) END AS "isAhead"
    FROM ${eventEras} ORDER BY era DESC LIMIT 1`);
  return row?.isAhead ?? false;
}

const isAfter = ({ era, transactionId, recordedAt, id }: FeedPosition) =>
  sql`(${sql.join(feedOrder, sql`, `)}) > (${era}::int, ${transactionId}::xid8, ${recordedAt}::bigint, ${id})`;

/** Whether nothing can appear before an event any more. A subquery runs once; on a cluster, the call takes 30 µs for each row. */
const isFinal = (firstEra: number) =>
  sql<boolean>`(${events.era} < ${firstEra}::int OR ${events.transactionId} < (SELECT feed_horizon()))`;

/** Deletes the events that were created before this time, by the primary key: ids are in the order of creation. */
export function deleteEventsBefore(db: Database, time: Date): Promise<number> {
  const ofAnyOrganization = sql`${events.organizationId} = ANY(ARRAY(SELECT ${organizations.id} FROM ${organizations}))`;
  return deleteInBatches(db, events, lt(events.id, firstIdAt("evt", time)), { foundBy: ofAnyOrganization });
}

/** The oldest open transaction that has written anything, on one server. */
interface OldestTransaction {
  /** How long it has been open; zero where none is. */
  seconds: number;
  /**
   * The id of the oldest one of which PostgreSQL does not tell this: it tells that to the transaction's own role and to members
   * of `pg_read_all_stats` only.
   */
  hidden: string | null;
  /** The pool that was asked. */
  pool: Executor;
}

/** Returns the oldest open transaction of the server; on a cluster, that of each node, where events are recorded. */
export const findOldestTransactions = (db: Executor): Promise<OldestTransaction[]> =>
  findInAnyOrganization(db, async (pool) => {
    const [row] = await pool.execute<{ seconds: number; hidden: string | null }>(sql`
      SELECT coalesce(greatest(extract(epoch FROM now() - min(began_at)), 0), 0)::float8 AS seconds,
        (array_agg(id ORDER BY age(id) DESC) FILTER (WHERE began_at IS NULL))[1]::text AS hidden
      FROM (
        SELECT xact_start AS began_at, backend_xid AS id FROM pg_stat_activity WHERE backend_xid IS NOT NULL
        UNION ALL SELECT prepared, transaction FROM pg_prepared_xacts) AS open`);
    return [{ ...row!, pool }];
  });
