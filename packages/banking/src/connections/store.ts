import {
  type Executor,
  type TenantKey,
  type Transaction,
  bankConnections,
  bankConsents,
  findInAnyOrganization,
  hasKey,
  refersTo,
  searchAllOrganizations,
} from "@purser/db";
import { type Keyring, UnsealError, seal, sealedIn, unseal } from "@purser/platform";
import { type Column, and, asc, desc, eq, gt, inArray, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Access, ProviderName } from "../ports.ts";

export type ConnectionRow = typeof bankConnections.$inferSelect;
export type ConsentRow = typeof bankConsents.$inferSelect;
export type ConsentKey = Pick<ConsentRow, "organizationId" | "connectionId" | "id">;

const consentsOf = (organizationId: string, connectionId: string) =>
  and(eq(bankConsents.organizationId, organizationId), eq(bankConsents.connectionId, connectionId));

export function listConnectionRows(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
): Promise<ConnectionRow[]> {
  return db
    .select()
    .from(bankConnections)
    .where(
      and(
        eq(bankConnections.organizationId, organizationId),
        after ? lt(bankConnections.id, after) : undefined,
      ),
    )
    .orderBy(desc(bankConnections.id))
    .limit(rows);
}

/** Lists the consents of these connections, newest first. */
export function listConsentRows(
  db: Executor,
  organizationId: string,
  connectionIds: string[],
): Promise<ConsentRow[]> {
  return db
    .select()
    .from(bankConsents)
    .where(
      and(eq(bankConsents.organizationId, organizationId), inArray(bankConsents.connectionId, connectionIds)),
    )
    .orderBy(...newestFirst);
}

const newestFirst = [desc(bankConsents.createdAt), desc(bankConsents.id)] as const;

export async function findConnection(
  db: Executor,
  organizationId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const [connection] = await db
    .select()
    .from(bankConnections)
    .where(hasKey(bankConnections, { organizationId, id }));
  return connection;
}

/** Locks a connection. Every change of it, its consents or its ledger takes this lock. */
export async function lockConnection(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const [connection] = await transaction
    .select()
    .from(bankConnections)
    .where(hasKey(bankConnections, { organizationId, id }))
    .for("no key update");
  return connection;
}

/** Locks connections in one order, so that two callers never wait for each other. */
export async function lockConnections(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConnectionRow>> {
  const connections = new Map<string, ConnectionRow>();
  for (const id of new Set(ids.toSorted())) {
    const connection = await lockConnection(transaction, organizationId, id);
    if (connection !== undefined) connections.set(id, connection);
  }
  return connections;
}

export async function hasActiveConnection(db: Executor, organizationId: string): Promise<boolean> {
  const some = await db
    .select({ id: bankConnections.id })
    .from(bankConnections)
    .where(and(eq(bankConnections.organizationId, organizationId), eq(bankConnections.status, "ACTIVE")))
    .limit(1);
  return some.length > 0;
}

/** Whether any organization has ever linked a bank. */
export async function hasAnyConnection(db: Executor): Promise<boolean> {
  const some = await findInAnyOrganization(db, (any) =>
    any.select({ id: bankConnections.id }).from(bankConnections).limit(1),
  );
  return some.length > 0;
}

/** Finds a consent by its public id, or by a hash of the value that the caller connected with. */
export async function findConsent(
  db: Executor,
  organizationId: string,
  provider: ProviderName,
  { id, hashes }: { id: string; hashes: string[] },
): Promise<ConsentRow | undefined> {
  const [consent] = await db
    .select()
    .from(bankConsents)
    .where(
      and(
        eq(bankConsents.organizationId, organizationId),
        eq(bankConsents.provider, provider),
        or(eq(bankConsents.id, id), inArray(bankConsents.referenceHash, hashes)),
      ),
    );
  return consent;
}

/**
 * Lists the active connections with this consent. `organizationId` is null if the provider does not name it: the
 * consent id is then unique among all organizations.
 */
export function findActiveConnectionsOfConsent(
  db: Executor,
  provider: ProviderName,
  { organizationId, consentId }: { organizationId: string | null; consentId: string },
): Promise<TenantKey[]> {
  return findInAnyOrganization(db, (any) =>
    any
      .select({ organizationId: bankConnections.organizationId, id: bankConnections.id })
      .from(bankConsents)
      .innerJoin(bankConnections, refersTo(bankConsents, "connectionId", bankConnections))
      .where(
        and(
          eq(bankConsents.provider, provider),
          eq(bankConsents.id, consentId),
          organizationId === null ? undefined : eq(bankConsents.organizationId, organizationId),
          eq(bankConnections.status, "ACTIVE"),
        ),
      ),
  );
}

export async function findNewestConsent(
  db: Executor,
  organizationId: string,
  connectionId: string,
): Promise<ConsentRow | undefined> {
  const [consent] = await db
    .select()
    .from(bankConsents)
    .where(consentsOf(organizationId, connectionId))
    .orderBy(...newestFirst)
    .limit(1);
  return consent;
}

export async function insertConnection(transaction: Transaction, row: ConnectionRow): Promise<void> {
  await transaction.insert(bankConnections).values(row);
}

export async function setConnection(
  transaction: Transaction,
  connection: TenantKey,
  change: Partial<ConnectionRow>,
): Promise<void> {
  await transaction.update(bankConnections).set(change).where(hasKey(bankConnections, connection));
}

/** Inserts or updates a consent, with its token sealed. */
export async function upsertConsent(
  transaction: Transaction,
  keys: Keyring,
  { token: plain, ...consent }: ConsentRow,
): Promise<void> {
  const token = plain === null ? null : seal(keys, plain, tokenContext(consent));
  const { organizationId: _o, connectionId: _c, id: _i, ...change } = { ...consent, token };
  await transaction
    .insert(bankConsents)
    .values({ ...consent, token })
    .onConflictDoUpdate({
      target: [bankConsents.organizationId, bankConsents.connectionId, bankConsents.id],
      set: change,
    });
}

const tokenContext = ({ organizationId, connectionId, id }: ConsentKey) =>
  sealedIn(bankConsents.token, [organizationId, connectionId, id]);

/** Opens the sealed token of a consent, for calls to its bank. */
export function accessBy(keys: Keyring, institutionId: string, consent: ConsentRow): Access {
  const { organizationId, id: consentId } = consent;
  return { organizationId, institutionId, consentId, token: openConsentToken(keys, consent) };
}

/**
 * The access to a consent that is ended or renewed, which must be possible if the key that sealed the token is lost: then
 * without the token. Some providers need none.
 */
export function accessToEndOrRenew(keys: Keyring, institutionId: string, consent: ConsentRow): Access {
  try {
    return accessBy(keys, institutionId, consent);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    return accessBy(keys, institutionId, { ...consent, token: null });
  }
}

/** Opens the sealed token of a consent; null if it has none. */
export const openConsentToken = (keys: Keyring, consent: ConsentRow): string | null =>
  consent.token === null ? null : unseal(keys, consent.token, tokenContext(consent));

export async function setConsent(
  transaction: Transaction,
  { organizationId, connectionId, id }: ConsentKey,
  change: Partial<Omit<ConsentRow, "token">>,
): Promise<void> {
  await transaction
    .update(bankConsents)
    .set(change)
    .where(and(consentsOf(organizationId, connectionId), eq(bankConsents.id, id)));
}

/** Revokes the active consents of a connection except the one in use, and erases their tokens. */
export async function revokeConsents(
  transaction: Transaction,
  { organizationId, id }: TenantKey,
  now: Date,
  inUse: string | null = null,
): Promise<void> {
  const inForce = and(
    consentsOf(organizationId, id),
    eq(bankConsents.status, "AUTHORIZED"),
    inUse === null ? undefined : ne(bankConsents.id, inUse),
  );
  // An expired consent ended when it expired, not now.
  const endedAt = sql`least(${bankConsents.expiresAt}, ${now.toISOString()}::timestamptz)`;
  await transaction
    .update(bankConsents)
    .set({ status: "REVOKED", revokedAt: endedAt, token: null })
    .where(inForce);
}

/** Lists the authorized consents of active connections that have a date after `from` and until `by`. */
export function listWithDeadline(db: Executor, from: Date, by: Date) {
  const { expiresAt, reconfirmBy, disconnectAt } = bankConsents;
  const isAhead = (date: Column) => and(gt(date, from), lte(date, by));
  return searchAllOrganizations(db, (all) =>
    all
      .select({
        organizationId: bankConsents.organizationId,
        connectionId: bankConsents.connectionId,
        id: bankConsents.id,
        expiresAt: bankConsents.expiresAt,
        reconfirmBy: bankConsents.reconfirmBy,
        disconnectAt: bankConsents.disconnectAt,
        remindedDays: bankConsents.remindedDays,
      })
      .from(bankConsents)
      .innerJoin(bankConnections, refersTo(bankConsents, "connectionId", bankConnections))
      .where(
        and(
          eq(bankConsents.status, "AUTHORIZED"),
          eq(bankConnections.status, "ACTIVE"),
          gt(expiresAt, from),
          or(isAhead(expiresAt), isAhead(reconfirmBy), isAhead(disconnectAt)),
          // It follows from the line above, and the index has it.
          lte(deadline, sql`${by.toISOString()}::timestamptz`),
        ),
      )
      .orderBy(asc(deadline)),
  );
}

/** `consentDeadline` in SQL. */
const deadline = sql`least(${bankConsents.expiresAt}, ${bankConsents.reconfirmBy}, ${bankConsents.disconnectAt})`;

/** Counts the active connections by condition. An expired consent needs the person too: the schedule has stopped for it. */
export function countConnections(
  db: Executor,
): Promise<{ provider: string; condition: string; value: number }[]> {
  return db.execute(sql`
    SELECT provider, count(*)::int AS value,
      CASE WHEN attention IS NOT NULL OR (failures > 0 AND next_sync_at IS NULL) THEN 'needs_person'
        WHEN failures > 0 THEN 'failing' ELSE 'healthy' END AS condition
    FROM ${bankConnections} WHERE status = 'ACTIVE' GROUP BY 1, 3`);
}
