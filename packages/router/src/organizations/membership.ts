import { type Executor, memberships } from "@purser/db";
import { and, eq } from "drizzle-orm";

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
  const [membership] = await db
    .select(columns)
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)));
  return membership;
}

/** A membership by its own id, before its organization is known. */
export async function findMembershipById(db: Executor, id: string): Promise<Membership | undefined> {
  const [membership] = await db.select(columns).from(memberships).where(eq(memberships.id, id));
  return membership;
}
