import type { membershipRoles } from "@purser/core";
import { type Executor, memberships, organizations, prepareOnce } from "@purser/db";
import { and, eq, inArray, sql } from "drizzle-orm";

/** A user's current membership in an organization. */
export interface Membership {
  organizationId: string;
  id: string;
  userId: string;
  role: (typeof membershipRoles)[number];
  isCreator: boolean;
}

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

export const membershipColumns = {
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
  const members = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), inArray(memberships.userId, [...userIds])));
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
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.id, id)));
  return membership;
}

/** Returns a membership by its id, before its organization is known. */
export async function findMembershipById(db: Executor, id: string): Promise<Membership | undefined> {
  const [membership] = await db.select(membershipColumns).from(memberships).where(eq(memberships.id, id));
  return membership;
}
