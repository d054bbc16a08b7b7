import {
  type Executor,
  type TenantKey,
  type Transaction,
  findInAnyOrganization,
  hasKey,
  invitations,
  organizations,
} from "@purser/db";
import { and, desc, eq, gt, isNull, lt } from "drizzle-orm";

const invitationColumns = {
  id: invitations.id,
  organizationId: invitations.organizationId,
  email: invitations.email,
  role: invitations.role,
  expiresAt: invitations.expiresAt,
};

export type InvitationRow = Omit<typeof invitations.$inferSelect, "createdAt">;

/** Returns an invitation by its id. Its recipient, not a membership, decides who may see it. */
export async function findInvitation(db: Executor, id: string) {
  const [invitation] = await findInAnyOrganization(db, (any) =>
    any
      .select({ ...invitationColumns, organization: { name: organizations.name } })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
      .where(eq(invitations.id, id)),
  );
  return invitation;
}

export function listInvitationRows(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
) {
  return db
    .select(invitationColumns)
    .from(invitations)
    .where(and(eq(invitations.organizationId, organizationId), after ? lt(invitations.id, after) : undefined))
    .orderBy(desc(invitations.id))
    .limit(rows);
}

export async function insertInvitation(
  transaction: Transaction,
  invitation: typeof invitations.$inferInsert,
): Promise<void> {
  await transaction.insert(invitations).values(invitation);
}

/** Deletes the invitation of an address and returns it, or undefined if there is none. */
export async function deleteInvitationOf(
  transaction: Transaction,
  { organizationId, email }: Pick<InvitationRow, "organizationId" | "email">,
) {
  const [deleted] = await transaction
    .delete(invitations)
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.email, email)))
    .returning(invitationColumns);
  return deleted;
}

/** Deletes an invitation and returns it, or undefined if it is already gone. */
export async function deleteInvitation(transaction: Transaction, invitation: TenantKey) {
  const [deleted] = await transaction
    .delete(invitations)
    .where(hasKey(invitations, invitation))
    .returning(invitationColumns);
  return deleted;
}

/** Returns true if an open invitation of any organization exists for this address. */
export async function hasOpenInvitation(db: Executor, email: string, at: Date): Promise<boolean> {
  const [invitation] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(eq(invitations.email, email), gt(invitations.expiresAt, at), isNull(organizations.deletedAt)))
    .limit(1);
  return invitation !== undefined;
}
