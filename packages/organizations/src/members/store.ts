import { type membershipRoles, newId } from "@purser/core";
import {
  type Executor,
  type Transaction,
  constraintName,
  findInAnyOrganization,
  hasKey,
  isAmong,
  memberships,
  organizations,
  prepareOnce,
  sqlState,
} from "@purser/db";
import { type UserProfile, findUsers } from "@purser/identity/users";
import { and, count, desc, eq, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type OrganizationRow, organizationColumns } from "../store.ts";

/** A user's current membership in an organization. */
export interface Membership {
  organizationId: string;
  id: string;
  userId: string;
  role: (typeof membershipRoles)[number];
  isCreator: boolean;
}

const membershipColumns = {
  organizationId: memberships.organizationId,
  id: memberships.id,
  userId: memberships.userId,
  role: memberships.role,
  isCreator: memberships.isCreator,
};

/** Returns a user's membership together with its organization. Undefined for users who are not members. */
export async function findAccessOfUser(
  db: Executor,
  organizationId: string,
  userId: string,
): Promise<{ membership: Membership; organization: OrganizationRow } | undefined> {
  const [access] = await accessOfUser(db).execute({ organizationId, userId });
  return access;
}

// Every request of a user inside an organization runs this query, so it is prepared and includes the organization.
const accessOfUser = prepareOnce((db) =>
  db
    .select({ membership: membershipColumns, organization: organizationColumns })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, sql.placeholder("organizationId")),
        eq(memberships.userId, sql.placeholder("userId")),
      ),
    ),
);

/** Returns the membership only. For a use case that reads it again inside its transaction. */
export async function findMembership(
  db: Executor,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const [membership] = await db
    .select(membershipColumns)
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)));
  return membership;
}

/** Returns which of these users are members of an organization. */
export async function findMemberIds(
  db: Executor,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const members = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), isAmong(memberships.userId, userIds)));
  return new Set(members.map(({ userId }) => userId));
}

/** Returns a membership of this organization by its id. */
export async function findMembershipIn(
  db: Executor,
  organizationId: string,
  id: string,
): Promise<Membership | undefined> {
  const [membership] = await db
    .select(membershipColumns)
    .from(memberships)
    .where(hasKey(memberships, { organizationId, id }));
  return membership;
}

/** Returns a membership by its id, before its organization is known. */
export async function findMembershipById(db: Executor, id: string): Promise<Membership | undefined> {
  const [membership] = await findInAnyOrganization(db, (any) =>
    any.select(membershipColumns).from(memberships).where(eq(memberships.id, id)),
  );
  return membership;
}

/**
 * Lists the members of those of these organizations that the user is a member of, newest first. Each node of a cluster is asked, and reads only what it holds of these
 * organizations: there the user's own memberships come first in the query.
 */
export async function listMembersOf(
  db: Executor,
  userId: string,
  organizationIds: string[],
): Promise<Membership[]> {
  const own = alias(memberships, "own");
  const onNode = (node: Executor) =>
    node
      .select(membershipColumns)
      .from(own)
      .innerJoin(memberships, eq(memberships.organizationId, own.organizationId))
      .where(and(eq(own.userId, userId), isAmong(own.organizationId, organizationIds)));
  const direct = () =>
    db
      .select(membershipColumns)
      .from(memberships)
      .where(isAmong(memberships.organizationId, organizationIds));
  const list = (any: Executor) => (any === db ? direct() : onNode(any)).orderBy(desc(memberships.id));
  const members = await findInAnyOrganization(db, list, {
    by: ({ id }) => id,
    descending: true,
    limit: Infinity,
  });
  // The user may have present one since these organizations were listed.
  const theirs = members.filter((member) => member.userId === userId);
  const present = new Set(theirs.map(({ organizationId }) => organizationId));
  return members.filter(({ organizationId }) => present.has(organizationId));
}

export function listMemberRows(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
) {
  return db
    .select(membershipColumns)
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), after ? lt(memberships.id, after) : undefined))
    .orderBy(desc(memberships.id))
    .limit(rows);
}

/** Adds the user of each member. Omits a member whose user is being deleted. */
export async function withUsers<Row extends { userId: string }>(
  db: Executor,
  members: Row[],
): Promise<(Row & { user: UserProfile })[]> {
  const users = await findUsers(
    db,
    members.map(({ userId }) => userId),
  );
  return members.flatMap((member) => {
    const user = users.get(member.userId);
    return user === undefined ? [] : [{ ...member, user }];
  });
}

export type NewMembership = Omit<Membership, "id"> & { createdAt: Date };

/** Inserts a membership. Waits for a concurrent deletion of the user, and then fails as `isUserMissing` recognizes. */
export async function insertMembership(transaction: Transaction, membership: NewMembership) {
  const id = newId("mem", membership.createdAt);
  await transaction.insert(memberships).values({ id, ...membership });
  return { id, role: membership.role, isCreator: membership.isCreator };
}

/** Whether a membership was refused because its user is deleted. */
export const isUserMissing = (error: unknown): boolean =>
  sqlState(error) === "23503" && constraintName(error) === "memberships_user_id_users_id_fk";

export async function deleteMembership(transaction: Transaction, membership: Membership): Promise<void> {
  await transaction.delete(memberships).where(hasKey(memberships, membership));
}

export async function setMembership(
  transaction: Transaction,
  membership: Membership,
  change: Partial<Pick<Membership, "role" | "isCreator">>,
): Promise<void> {
  await transaction.update(memberships).set(change).where(hasKey(memberships, membership));
}

export async function countOwners(db: Executor, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ owners: count() })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, "OWNER")));
  return row?.owners ?? 0;
}

/** Lists the memberships of a user, in the order in which their organizations are locked. */
export function listMembershipsOf(db: Executor, userId: string) {
  return db
    .select(membershipColumns)
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.organizationId);
}

/** The same, without a node of a cluster that is down. For reads: what changes a user needs all memberships. */
export const listReachableMembershipsOf = (db: Executor, userId: string): Promise<Membership[]> =>
  findInAnyOrganization(db, (any) => listMembershipsOf(any, userId));

/** Lists the memberships of a user with the names of the organizations, newest organization first. */
export function listNamedMembershipsOf(db: Executor, userId: string, rows: number) {
  const list = (any: Executor) =>
    any
      .select({
        id: memberships.id,
        organizationId: memberships.organizationId,
        organizationName: organizations.name,
        role: memberships.role,
        isCreator: memberships.isCreator,
      })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .where(eq(memberships.userId, userId))
      .orderBy(desc(memberships.organizationId))
      .limit(rows);
  const newestFirst = { descending: true, limit: rows };
  return findInAnyOrganization(db, list, { by: (row) => row.organizationId, ...newestFirst });
}

export async function findCreator(db: Executor, organizationId: string): Promise<Membership | undefined> {
  const [creator] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.isCreator, true)));
  return creator;
}

/** Returns the address of an owner, or the creator's where the user is no owner. */
export async function findOwnerAddress(
  db: Executor,
  { organizationId, userId }: Pick<Membership, "organizationId" | "userId">,
): Promise<string | undefined> {
  const membership = await findMembership(db, organizationId, userId);
  const owner = membership?.role === "OWNER" ? membership : await findCreator(db, organizationId);
  const users = await findUsers(db, owner === undefined ? [] : [owner.userId]);
  return owner && users.get(owner.userId)?.email;
}
