import { Problem } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import {
  type Act,
  type Actor,
  actOf,
  actorOf,
  audit,
  recordAudit,
  retryTransaction,
  toPage,
  transactInOrganization,
  userOf,
} from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { z } from "zod";
import type { MemberContext } from "../access.ts";
import type { OrganizationsContext, OrganizationsPlatform } from "../context.ts";
import { recordMemberEvent } from "../feed-events/service.ts";
import { revokeInvitationOf } from "../invitations/revoke.ts";
import { lockOrganization } from "../store.ts";
import type { ListMembers, RemoveMember, UpdateRole } from "./contract.ts";
import { memberPermissions, refuseRemoval, refuseRoleChange, refuseUserDeletion } from "./rules.ts";
import {
  type Membership,
  type NewMembership,
  countOwners,
  deleteMembership,
  findMembership,
  findMembershipIn,
  insertMembership,
  isUserMissing,
  listMemberRows,
  listMembershipsOf,
  setMembership,
  withUsers,
} from "./store.ts";

export async function listMembers(ctx: MemberContext, input: z.output<typeof ListMembers>) {
  const { organizationId } = input;
  const rows = await listMemberRows(ctx.db, organizationId, input.after, input.limit + 1);
  const members = await withUsers(ctx.db, toPage(ctx, input.limit, rows));
  const owners = await countOwners(ctx.db, organizationId);
  return members.map((member) => ({ ...member, ...memberPermissions(ctx.membership, member, owners) }));
}

/**
 * Makes a user a member; the caller records audit and event. Waits for a concurrent deletion of the user, and then throws
 * UNAUTHENTICATED.
 */
export function createMembership(transaction: Transaction, membership: NewMembership) {
  return insertMembership(transaction, membership).catch((error: unknown) => {
    // The user whose credential was checked is the one who becomes a member.
    throw isUserMissing(error) ? new Problem("UNAUTHENTICATED") : error;
  });
}

/** Removes another member, or lets a member who is no owner leave. The member's cards freeze in the same transaction. */
export function removeMember(ctx: OrganizationsContext, input: z.output<typeof RemoveMember>) {
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const { actor, target } = await lockBoth(ctx, transaction, input.membershipId);
    const refusal = refuseRemoval(actor, target);
    if (refusal !== null) throw new Problem(refusal);
    await endMembership(ctx, transaction, target, actOf(ctx));
  });
}

/** Changes a role. An equal one is no change. Counts owners under the organization's lock, so one is always left. */
export function updateRole(ctx: OrganizationsContext, input: z.output<typeof UpdateRole>) {
  return transactInOrganization(ctx, ctx.membership.organizationId, input, async (transaction) => {
    const { actor, target } = await lockBoth(ctx, transaction, input.id);
    const owners = await countOwners(transaction, target.organizationId);
    const refusal = refuseRoleChange(actor, target, input.role, owners);
    if (refusal !== null) throw new Problem(refusal);
    if (target.role === input.role) return;
    await endOwnerAddress(ctx, transaction, target);
    await setMembership(transaction, target, { role: input.role });
    const changed = { ...target, role: input.role };
    await recordMemberEvent(ctx, transaction, actorOf(ctx), "member.role_updated", changed);
    audit(ctx, transaction, {
      organizationId: target.organizationId,
      subject: target.id,
      details: { userId: target.userId, from: target.role, to: input.role },
    });
  });
}

type UserDeletion = MembershipPlatform & {
  /** The database, or the transaction in which the user is deleted. */
  db: Executor;
};

/**
 * Removes a user from every organization before `by` deletes the user. Throws CREATOR_PROTECTED or LAST_OWNER, without
 * any change, if an organization depends on the user.
 */
export function removeUserFromOrganizations(
  platform: UserDeletion,
  userId: string,
  actor: Actor,
): Promise<void> {
  return retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      for (const { organizationId } of await listMembershipsOf(transaction, userId)) {
        await lockOrganization(transaction, organizationId);
        const membership = await findMembership(transaction, organizationId, userId);
        if (membership === undefined) continue;
        const refusal = refuseUserDeletion(membership, await countOwners(transaction, organizationId));
        if (refusal !== null) throw new Problem(refusal);
        await endMembership(platform, transaction, membership, { actor, action: "users.delete" });
      }
    }),
  );
}

/**
 * Reads both memberships again under the organization's lock, because a concurrent request may have changed either
 * since the access check.
 */
async function lockBoth(ctx: MemberContext, transaction: Transaction, membershipId: string) {
  const { organizationId } = ctx.membership;
  await lockOrganization(transaction, organizationId);
  const actor = await findMembership(transaction, organizationId, userOf(ctx.caller).userId);
  const target = await findMembershipIn(transaction, organizationId, membershipId);
  if (!actor || !target) throw new Problem("MEMBERSHIP_NOT_FOUND");
  return { actor, target };
}

type HooksPlatform = Pick<OrganizationsPlatform, "organizationHooks">;

/** Runs before a user's address changes, for the organizations that the user owns. */
export async function endOwnerAddresses(
  platform: HooksPlatform,
  transaction: Transaction,
  userId: string,
): Promise<void> {
  for (const membership of await listMembershipsOf(transaction, userId))
    await endOwnerAddress(platform, transaction, membership);
}

async function endOwnerAddress(
  { organizationHooks }: HooksPlatform,
  transaction: Transaction,
  { organizationId, userId, role }: Membership,
): Promise<void> {
  if (role !== "OWNER") return;
  const user = (await findUsers(transaction, [userId])).get(userId);
  if (user === undefined) return;
  const owner = { organizationId, userId, email: user.email };
  for (const { ownerAddressEnds } of organizationHooks) await ownerAddressEnds?.(transaction, owner);
}

/** What ending a membership needs. */
type MembershipPlatform = EventPlatform & HooksPlatform;

/** Ends a membership that may end: the event, the row, what other areas do, the user's invitation, and the audit entry. */
async function endMembership(
  platform: MembershipPlatform,
  transaction: Transaction,
  membership: Membership,
  act: Act,
): Promise<void> {
  const { organizationId, id, userId, role } = membership;
  await recordMemberEvent(platform, transaction, act.actor, "member.removed", membership);
  await endOwnerAddress(platform, transaction, membership);
  await deleteMembership(transaction, membership);
  for (const { memberLeft } of platform.organizationHooks) await memberLeft?.(transaction, act, membership);
  const revoked = await revokeInvitationOf(platform, transaction, act.actor, membership);
  const details = { userId, role, ...(revoked && { revoked }) };
  recordAudit(transaction, { ...act, at: platform.clock.now(), organizationId, subject: id, details });
}
