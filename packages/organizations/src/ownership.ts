import { Problem, type ProblemCode } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { type AddressOptions, findUsers, lockUserOfAddress } from "@purser/identity/users";
import {
  type Actor,
  type CallerContext,
  type Platform,
  isOrganizationKey,
  recordAudit,
  refuseKey,
  retryTransaction,
  userOf,
} from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { type Mail, singleLine } from "@purser/platform/mail";
import { type OrganizationAccess, findAccess } from "./access.ts";
import { recordMemberEvent } from "./events/service.ts";
import { revokeInvitationOf } from "./invitations/revoke.ts";
import { findOrganizationOfKey } from "./keys/store.ts";
import { refuseRelease } from "./members/rules.ts";
import { type MembershipPlatform, endMembership } from "./members/service.ts";
import {
  countOwners,
  findCreator,
  insertMembership,
  listMembershipsOf,
  setMembership,
} from "./members/store.ts";
import { type OrganizationRow, findMembership } from "./membership.ts";
import { listOwnerRows, lockOrganization } from "./store.ts";

type Deletion = MembershipPlatform & {
  /** The database, or the transaction in which the user is deleted. */
  db: Executor;
};

/**
 * Removes a user from every organization before `by` deletes the user. Throws CREATOR_PROTECTED or LAST_OWNER, without
 * any change, if an organization depends on the user.
 */
export function releaseUser(platform: Deletion, userId: string, by: Actor["actor"]): Promise<void> {
  return retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      for (const { organizationId } of await listMembershipsOf(transaction, userId)) {
        await release(platform, transaction, { organizationId, userId }, by);
      }
    }),
  );
}

async function release(
  platform: MembershipPlatform,
  transaction: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
  by: Actor["actor"],
): Promise<void> {
  await lockOrganization(transaction, organizationId);
  const membership = await findMembership(transaction, organizationId, userId);
  if (membership === undefined) return;
  const refusal = refuseRelease(membership, await countOwners(transaction, organizationId));
  if (refusal !== null) throw new Problem(refusal);
  await endMembership(platform, transaction, membership, { actor: by, action: "users.delete" });
}

/**
 * Makes another user the creator and an owner of an organization. The previous creator stays an owner. Revokes an
 * open invitation of the user's address. Throws ORGANIZATION_NOT_FOUND, USER_NOT_FOUND or EMAIL_NOT_VERIFIED.
 */
export function transferOrganization(
  platform: Platform,
  { organizationId, toEmail, ...options }: { organizationId: string; toEmail: string } & AddressOptions,
): Promise<void> {
  return retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      const organization = await lockOrganization(transaction, organizationId);
      if (organization === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
      const userId = await lockUserOfAddress(transaction, toEmail, options);
      const creator = await findCreator(transaction, organizationId);
      if (creator?.userId === userId) return;
      const revoked = await revokeInvitationOf(platform, transaction, null, { organizationId, userId });
      // A unique index allows one creator, so update the previous one first.
      if (creator) {
        await setMembership(transaction, creator, { isCreator: false });
        const changed = { ...creator, isCreator: false };
        await recordMemberEvent(platform, transaction, null, "member.role_updated", changed);
      }
      const successor = await findMembership(transaction, organizationId, userId);
      const creatorRole = { role: "OWNER", isCreator: true } as const;
      const at = platform.clock.now();
      if (successor) {
        await setMembership(transaction, successor, creatorRole);
        const changed = { ...successor, ...creatorRole };
        await recordMemberEvent(platform, transaction, null, "member.role_updated", changed);
      } else {
        const member = { organizationId, userId, ...creatorRole };
        const { id } = await insertMembership(transaction, { ...member, createdAt: at });
        await recordMemberEvent(platform, transaction, null, "member.joined", { ...member, id });
      }
      recordAudit(transaction, {
        at,
        actor: null,
        action: "organizations.transfer",
        organizationId,
        subject: organizationId,
        details: {
          from: creator?.userId ?? null,
          to: userId,
          ...(revoked && { revoked }),
        },
      });
    }),
  );
}

/**
 * Locks an organization and checks again that the caller is its owner. Since the request's own check the owner may have been
 * removed or demoted, or the organization deleted. Throws `missing` or FORBIDDEN.
 */
export function lockForOwner(
  { caller }: Pick<CallerContext, "caller">,
  transaction: Transaction,
  organizationId: string,
  missing?: ProblemCode,
): Promise<OrganizationRow> {
  return lockForOwnerById(transaction, organizationId, userOf(caller).userId, missing);
}

/** Like {@link lockForOwner}, for a user who may not be the caller. */
export async function lockForOwnerById(
  transaction: Transaction,
  organizationId: string,
  userId: string,
  missing: ProblemCode = "ORGANIZATION_NOT_FOUND",
): Promise<OrganizationRow> {
  const organization = await lockOrganization(transaction, organizationId);
  const membership = organization && (await findMembership(transaction, organizationId, userId));
  if (organization === undefined || membership === undefined) throw new Problem(missing);
  if (membership.role !== "OWNER") throw new Problem("FORBIDDEN");
  return organization;
}

/**
 * Locks an organization and returns the caller's rights in it, read again, for what depends on more than being its owner.
 * Throws ORGANIZATION_NOT_FOUND.
 */
export async function lockForMember(
  { caller, clock }: Pick<CallerContext, "caller" | "clock">,
  transaction: Transaction,
  organizationId: string,
): Promise<OrganizationAccess> {
  const organization = await lockOrganization(transaction, organizationId);
  const access = organization && (await findAccess(transaction, organizationId, caller, clock.now()));
  if (access === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
  return access;
}

/**
 * Like {@link lockForOwner}, for what a key of the organization may do too, if it may write. Throws `missing` or FORBIDDEN.
 */
export async function lockForOwnerOrKey(
  { caller, clock }: Pick<CallerContext, "caller" | "clock">,
  transaction: Transaction,
  organizationId: string,
  missing: ProblemCode = "ORGANIZATION_NOT_FOUND",
): Promise<OrganizationRow> {
  if (!isOrganizationKey(caller)) return lockForOwner({ caller }, transaction, organizationId, missing);
  const organization = await lockOrganization(transaction, organizationId);
  const key = { organizationId: caller.organizationId, id: caller.keyId };
  const isOfOrganization =
    caller.organizationId === organizationId &&
    (await findOrganizationOfKey(transaction, key, clock.now())) !== undefined;
  if (organization === undefined || !isOfOrganization) throw new Problem(missing);
  if (caller.access !== "write") throw refuseKey("write");
  return organization;
}

/** Sends a mail to each owner of an organization after the transaction commits. `write` gets the organization's name. */
export async function mailOwners(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  organizationId: string,
  write: (organizationName: string) => Omit<Mail, "to">,
): Promise<void> {
  const owners = await listOwnerRows(transaction, organizationId);
  const users = await findUsers(
    transaction,
    owners.map(({ userId }) => userId),
  );
  const mails = owners.flatMap(({ userId, organizationName }) => {
    const user = users.get(userId);
    // An earlier version accepted names with line breaks.
    return user === undefined ? [] : [{ to: user.email, ...write(singleLine(organizationName)) }];
  });
  await outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
}
