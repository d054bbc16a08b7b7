import { Problem, newId } from "@purser/core";
import {
  type Executor,
  type Transaction,
  constraintName,
  memberships,
  organizations,
  sqlState,
} from "@purser/db";
import { type UserProfile, findUsers } from "@purser/identity/users";
import { and, count, desc, eq, lt } from "drizzle-orm";
import { type Membership, membershipColumns } from "../membership.ts";

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

/** Inserts a membership. Waits for a concurrent deletion of the user, and then throws UNAUTHENTICATED. */
export async function insertMembership(
  transaction: Transaction,
  membership: Omit<Membership, "id"> & { createdAt: Date },
) {
  const id = newId("mem", membership.createdAt);
  await transaction
    .insert(memberships)
    .values({ id, ...membership })
    .catch(refuseDeletedUser);
  return { id, role: membership.role, isCreator: membership.isCreator };
}

function refuseDeletedUser(error: unknown): never {
  const isUserMissing =
    sqlState(error) === "23503" && constraintName(error) === "memberships_user_id_users_id_fk";
  // The user whose credential was checked is the one who becomes a member.
  throw isUserMissing ? new Problem("UNAUTHENTICATED") : error;
}

const theMembership = ({ organizationId, id }: Membership) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.id, id));

export async function deleteMembership(transaction: Transaction, membership: Membership): Promise<void> {
  await transaction.delete(memberships).where(theMembership(membership));
}

export async function setMembership(
  transaction: Transaction,
  membership: Membership,
  change: Partial<Pick<Membership, "role" | "isCreator">>,
): Promise<void> {
  await transaction.update(memberships).set(change).where(theMembership(membership));
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

/** Lists the memberships of a user with the names of the organizations, newest organization first. */
export function listNamedMembershipsOf(db: Executor, userId: string, rows: number) {
  return db
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
}

export async function findCreator(db: Executor, organizationId: string): Promise<Membership | undefined> {
  const [creator] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.isCreator, true)));
  return creator;
}
