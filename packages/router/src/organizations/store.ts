import { type Executor, type Transaction, invitations, memberships, organizations, users } from "@purser/db";
import { and, desc, eq, inArray, isNull, lt } from "drizzle-orm";
import { memberColumns } from "./members/store.ts";
import { organizationColumns } from "./membership.ts";

/**
 * Locks an organization for a change of who belongs to it, and gives it unless it is deleted. Every such
 * change takes this lock before it reads a membership, so each sees the others' effects.
 */
export async function lockOrganization(transaction: Transaction, id: string) {
  const [organization] = await transaction
    .select(organizationColumns)
    .from(organizations)
    .where(and(eq(organizations.id, id), isNull(organizations.deletedAt)))
    .for("no key update");
  return organization;
}

/** The organizations of a user, newest first. */
export function listOrganizationsOf(db: Executor, userId: string, after: string | undefined, rows: number) {
  return db
    .select(organizationColumns)
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), after ? lt(memberships.organizationId, after) : undefined))
    .orderBy(desc(memberships.organizationId))
    .limit(rows);
}

/** The members of several organizations, newest first. */
export function listMembersOf(db: Executor, organizationIds: string[]) {
  return db
    .select(memberColumns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(inArray(memberships.organizationId, organizationIds))
    .orderBy(desc(memberships.id));
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

/** Takes everybody out of an organization and hides it; its ledgers and audit trail stay. */
export async function markDeleted(transaction: Transaction, id: string, now: Date): Promise<void> {
  await transaction.delete(memberships).where(eq(memberships.organizationId, id));
  await transaction.delete(invitations).where(eq(invitations.organizationId, id));
  await transaction.update(organizations).set({ deletedAt: now }).where(eq(organizations.id, id));
}

export async function findUserIdByEmail(db: Executor, email: string): Promise<string | undefined> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email.toLowerCase()));
  return user?.id;
}

/** Whom to tell of what concerns an organization as a whole. */
export function listOwners(
  db: Executor,
  organizationId: string,
): Promise<{ email: string; organizationName: string }[]> {
  return db
    .select({ email: users.email, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, "OWNER")));
}
