import { type EventType, decodeWire, encodeWire, newId } from "@purser/core";
import { type Executor, type Transaction, afterCommit, events } from "@purser/db";
import { type SQL, getTableColumns, sql } from "drizzle-orm";
import { type Actor, actorOf } from "../audit.ts";
import type { CallerContext, Platform } from "../context.ts";
import { type Keyring, seal, sealedIn, unseal } from "../secrets.ts";

/** What the contracts of an area's events say (`events/contract.ts`): which type has which data. */
interface EventContract {
  type: EventType;
  data: object;
}

/** A change, as its subscribers learn of it. Its type is given by the contract of one of the area's events. */
export type NewEvent<Contract extends EventContract = EventContract> = Contract extends EventContract
  ? {
      organizationId: string;
      type: Contract["type"];
      /** The id of the subject. */
      subject: string;
      /**
       * The subject as its own read procedure returns it to an owner. Readers see what the contract has and no more.
       */
      data: Contract["data"];
      /** The card whose cardholder sees an event of a card or a card transaction. If absent, only owners see it. */
      cardId?: string;
    }
  : never;

export type EventPlatform = Pick<Platform, "clock" | "eventLog"> & {
  settings: Pick<Platform["settings"], "encryptionKeys">;
};

/**
 * Adds an event of the caller to its organization's feed, in the transaction of the change.
 *
 * @example
 * await recordEvent<OrganizationEvent>(ctx, transaction, { organizationId, type: "organization.updated", subject, data });
 */
export function recordEvent<Contract extends EventContract>(
  ctx: CallerContext,
  transaction: Transaction,
  event: NewEvent<Contract>,
): Promise<void> {
  return recordEvents(ctx, transaction, actorOf(ctx).actor, [event]);
}

/** Adds events in their order. The actor is null for what a bank, a network, a provider or a schedule did. */
export async function recordEvents<Contract extends EventContract>(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor["actor"],
  recorded: readonly NewEvent<Contract>[],
): Promise<void> {
  if (recorded.length === 0) return;
  await insertEvents(transaction, await eventRows(platform, actor, recorded));
  announceAfterCommit(platform, transaction, recorded);
}

/** Announces events after the commit of their transaction. */
export function announceAfterCommit(
  { eventLog }: Pick<EventPlatform, "eventLog">,
  transaction: Transaction,
  recorded: readonly { organizationId: string }[],
): void {
  if (recorded.length === 0) return;
  const organizations = new Set(recorded.map(({ organizationId }) => organizationId));
  afterCommit(transaction, () => eventLog.announce(organizations));
}

/** The rows of events, for a statement that inserts them together with their change. */
export async function eventRows(
  { clock, eventLog, settings }: EventPlatform,
  actor: Actor["actor"],
  recorded: readonly NewEvent[],
): Promise<NewEventRow[]> {
  const era = await eventLog.era();
  const createdAt = clock.now();
  return recorded.map(({ organizationId, type, subject, data, cardId = null }) => {
    const id = newId("evt", createdAt);
    return {
      organizationId,
      id,
      era,
      type,
      subjectId: subject,
      cardId,
      actorId: actor?.id ?? null,
      actorName: actor?.name ?? null,
      data: seal(settings.encryptionKeys, JSON.stringify(encodeWire(data)), sealedAs(organizationId, id)),
      createdAt,
    };
  });
}

/** Returns the data of a stored event. */
export function openEventData(
  keys: Keyring,
  { organizationId, id, data }: Pick<typeof events.$inferSelect, "organizationId" | "id" | "data">,
): unknown {
  return decodeWire(JSON.parse(unseal(keys, data, sealedAs(organizationId, id))));
}

const sealedAs = (organizationId: string, id: string) => sealedIn(events.data, [organizationId, id]);

export type NewEventRow = Omit<typeof events.$inferInsert, "transactionId" | "recordedAt">;

async function insertEvents(db: Executor, rows: NewEventRow[]): Promise<void> {
  await db.insert(events).values(rows);
}

const columns = Object.entries(getTableColumns(events)).filter(
  ([field]) => field !== "transactionId" && field !== "recordedAt",
);
const columnNames = sql.join(
  columns.map(([, { name }]) => sql.identifier(name)),
  sql.raw(", "),
);

/**
 * Inserts the rows of `eventRows` as a part of another statement, the same for any number of them. PostgreSQL adds what the
 * feed is ordered by, when the statement holds its locks.
 */
export function insertingEvents(rows: readonly NewEventRow[], condition: SQL = sql``): SQL {
  const named = rows.map((row) =>
    Object.fromEntries(columns.map(([field, { name }]) => [name, row[field as keyof NewEventRow]])),
  );
  return sql`INSERT INTO ${events} (${columnNames}) SELECT ${columnNames}
    FROM json_populate_recordset(NULL::${events}, ${JSON.stringify(named)}::json) ${condition}`;
}
