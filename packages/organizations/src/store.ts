import { isId } from "@purser/core";
import {
  type Executor,
  type Transaction,
  findInAnyOrganization,
  invitations,
  memberships,
  organizations,
} from "@purser/db";
import { and, desc, eq, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** An organization as its members see it. */
export interface OrganizationRow {
  id: string;
  name: string;
  avatarUrl: string | null;
  timeZone: string;
  partialApprovals: boolean;
}

export const organizationColumns = {
  id: organizations.id,
  name: organizations.name,
  avatarUrl: organizations.avatarUrl,
  timeZone: organizations.timeZone,
  partialApprovals: organizations.partialApprovals,
};

/**
 * Locks an organization and returns it, or undefined if it is deleted. Every change of its members takes this
 * lock before it reads a membership, so concurrent changes see each other's effects.
 */
export async function lockOrganization(transaction: Transaction, id: string) {
  const [organization] = await transaction
    .select(organizationColumns)
    .from(organizations)
    .where(and(eq(organizations.id, id), isNull(organizations.deletedAt)))
    .for("no key update");
  return organization;
}

/** Lists the organizations of a user, newest first. */
export function listOrganizationsOf(db: Executor, userId: string, after: string | undefined, rows: number) {
  const list = (any: Executor) =>
    any
      .select(organizationColumns)
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .where(and(eq(memberships.userId, userId), after ? lt(memberships.organizationId, after) : undefined))
      .orderBy(desc(memberships.organizationId))
      .limit(rows);
  return findInAnyOrganization(db, list, { by: ({ id }) => id, descending: true, limit: rows });
}

export async function insertOrganization(
  transaction: Transaction,
  organization: { id: string; name: string; createdAt: Date },
): Promise<void> {
  await transaction.insert(organizations).values(organization);
}

export async function updateOrganizationRow(
  transaction: Transaction,
  id: string,
  change: { name: string; avatarUrl: string | null },
): Promise<void> {
  await transaction.update(organizations).set(change).where(eq(organizations.id, id));
}

export async function setSettings(
  transaction: Transaction,
  id: string,
  settings: { timeZone: string; partialApprovals: boolean },
): Promise<void> {
  await transaction.update(organizations).set(settings).where(eq(organizations.id, id));
}

/** The setting of the organization with this id, as a part of another area's query. */
export const partialApprovalsWhere = (within: (organizationId: PgColumn) => SQL) =>
  sql<boolean>`(SELECT ${organizations.partialApprovals} FROM ${organizations} WHERE ${within(organizations.id)})`;

/** Marks an organization as deleted and removes its members and invitations. Ledgers and audit trail stay. */
export async function markDeleted(transaction: Transaction, id: string, now: Date): Promise<void> {
  await transaction.delete(memberships).where(eq(memberships.organizationId, id));
  await transaction.delete(invitations).where(eq(invitations.organizationId, id));
  await transaction.update(organizations).set({ deletedAt: now }).where(eq(organizations.id, id));
}

/** Lists the owners of an organization, each with its name. */
export function listOwnerRows(
  db: Executor,
  organizationId: string,
): Promise<{ userId: string; organizationName: string }[]> {
  return db
    .select({ userId: memberships.userId, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, "OWNER")));
}

/** Returns an organization, or undefined if it is unknown or deleted. */
export async function findOrganization(db: Executor, id: string): Promise<OrganizationRow | undefined> {
  const [organization] = await db
    .select(organizationColumns)
    .from(organizations)
    .where(and(eq(organizations.id, id), isNull(organizations.deletedAt)));
  return organization;
}

/**
 * Takes the lock of `lockOrganization`, also of a deleted organization, because its billing records stay. Returns undefined
 * if there never was one.
 */
export async function lockOrganizationEvenIfDeleted(
  transaction: Transaction,
  id: string,
): Promise<{ isDeleted: boolean } | undefined> {
  // The id may come from a payment provider's metadata, which may hold text that the database refuses.
  if (!isId("org", id)) return undefined;
  const [organization] = await transaction
    .select({ deletedAt: organizations.deletedAt })
    .from(organizations)
    .where(eq(organizations.id, id))
    .for("no key update");
  return organization && { isDeleted: organization.deletedAt !== null };
}

/**
 * Lists ids of any organizations, deleted ones included: at least so many, if there are. It shows whether the database is empty.
 */
export async function listSomeOrganizations(db: Executor, rows: number): Promise<string[]> {
  const found = await findInAnyOrganization(db, (any) =>
    any.select({ id: organizations.id }).from(organizations).limit(rows),
  );
  return found.map(({ id }) => id);
}
