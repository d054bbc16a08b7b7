import {
  type Executor,
  type TenantKey,
  type Transaction,
  findInAnyOrganization,
  hasKey,
  organizationKeys,
  organizations,
  prepareOnce,
} from "@purser/db";
import { type Param, and, count, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { organizationColumns } from "../store.ts";

const keyColumns = {
  id: organizationKeys.id,
  organizationId: organizationKeys.organizationId,
  name: organizationKeys.name,
  access: organizationKeys.access,
  start: organizationKeys.start,
  createdAt: organizationKeys.createdAt,
  expiresAt: organizationKeys.expiresAt,
  lastUsedAt: organizationKeys.lastUsedAt,
  revokedAt: organizationKeys.revokedAt,
};

const isLive = (now: Date | Param) =>
  and(
    isNull(organizationKeys.revokedAt),
    or(isNull(organizationKeys.expiresAt), gt(organizationKeys.expiresAt, now)),
  );

const present = sql.param(sql.placeholder("now"), organizationKeys.expiresAt);

/** Returns the valid key with this hash, before its organization is known. */
export async function findKeyByHash(db: Executor, hash: string, now: Date) {
  const [key] = await findInAnyOrganization(db, (any) => keyByHash(any).execute({ hash, now }));
  return key;
}

// Every request with a key runs these two queries.
const keyByHash = prepareOnce((db) =>
  db
    .select(keyColumns)
    .from(organizationKeys)
    .innerJoin(organizations, eq(organizations.id, organizationKeys.organizationId))
    .where(
      and(
        eq(organizationKeys.hash, sql.placeholder("hash")),
        isLive(present),
        isNull(organizations.deletedAt),
      ),
    ),
);

/** Returns the organization of a valid key, or undefined if the key is not valid any more. */
export async function findOrganizationOfKey(db: Executor, { organizationId, id }: TenantKey, now: Date) {
  const [organization] = await organizationOfKey(db).execute({ organizationId, id, now });
  return organization;
}

const organizationOfKey = prepareOnce((db) =>
  db
    .select(organizationColumns)
    .from(organizationKeys)
    .innerJoin(organizations, eq(organizations.id, organizationKeys.organizationId))
    .where(
      and(
        eq(organizationKeys.organizationId, sql.placeholder("organizationId")),
        eq(organizationKeys.id, sql.placeholder("id")),
        isLive(present),
        isNull(organizations.deletedAt),
      ),
    ),
);

export async function setLastUsed(db: Executor, key: TenantKey, lastUsedAt: Date): Promise<void> {
  await db.update(organizationKeys).set({ lastUsedAt }).where(hasKey(organizationKeys, key));
}

/** Returns a key by its id, before its organization is known. */
export async function findOrganizationKeyById(db: Executor, id: string) {
  const [key] = await findInAnyOrganization(db, (any) =>
    any.select(keyColumns).from(organizationKeys).where(eq(organizationKeys.id, id)),
  );
  return key;
}

export async function findKeyIn(db: Executor, key: TenantKey) {
  const [found] = await db.select(keyColumns).from(organizationKeys).where(hasKey(organizationKeys, key));
  return found;
}

/** Lists the keys of an organization, newest first, the revoked and expired ones included. */
export function listKeyRows(db: Executor, organizationId: string, after: string | undefined, rows: number) {
  return db
    .select(keyColumns)
    .from(organizationKeys)
    .where(
      and(
        eq(organizationKeys.organizationId, organizationId),
        after ? lt(organizationKeys.id, after) : undefined,
      ),
    )
    .orderBy(desc(organizationKeys.id))
    .limit(rows);
}

export async function countLiveKeys(db: Executor, organizationId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ keys: count() })
    .from(organizationKeys)
    .where(and(eq(organizationKeys.organizationId, organizationId), isLive(now)));
  return row?.keys ?? 0;
}

export async function insertKey(
  transaction: Transaction,
  key: typeof organizationKeys.$inferInsert,
): Promise<void> {
  await transaction.insert(organizationKeys).values(key);
}

/** Revokes a key and returns it, or undefined if it was revoked before. */
export async function revokeKeyRow(transaction: Transaction, key: TenantKey, revokedAt: Date) {
  const [revoked] = await transaction
    .update(organizationKeys)
    .set({ revokedAt })
    .where(and(hasKey(organizationKeys, key), isNull(organizationKeys.revokedAt)))
    .returning(keyColumns);
  return revoked;
}
