import { type Executor, memberships, prepared } from "@purser/db";
import { and, eq, sql } from "drizzle-orm";

/** A person's place in an organization, as it is at this moment. */
export interface Membership {
  organizationId: string;
  id: string;
  userId: string;
  role: "OWNER" | "MEMBER";
  isCreator: boolean;
}

const columns = {
  organizationId: memberships.organizationId,
  id: memberships.id,
  userId: memberships.userId,
  role: memberships.role,
  isCreator: memberships.isCreator,
};

/**
 * The choke point of all access: whether this user is in this organization now, and as what. A deleted
 * organization has no memberships left, so nobody is in it.
 */
export async function findMembership(
  db: Executor,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const [membership] = await membershipOfUser(db).execute({ organizationId, userId });
  return membership;
}

const membershipOfUser = prepared((db) =>
  db
    .select(columns)
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, sql.placeholder("organizationId")),
        eq(memberships.userId, sql.placeholder("userId")),
      ),
    ),
);

/** A membership by its own id, before its organization is known. */
export async function findMembershipById(db: Executor, id: string): Promise<Membership | undefined> {
  const [membership] = await db.select(columns).from(memberships).where(eq(memberships.id, id));
  return membership;
}
