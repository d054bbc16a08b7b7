import { Problem, type ProblemCode } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type CallerContext, isOrganizationKey, refuseKey, userOf } from "@purser/platform";
import { type OrganizationAccess, findAccess } from "../access.ts";
import { findOrganizationOfKey } from "../keys/store.ts";
import { findMembership } from "../members/store.ts";
import { type OrganizationRow, lockOrganization } from "../store.ts";

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
  return lockForOwnerUser(transaction, organizationId, userOf(caller).userId, missing);
}

/** Like {@link lockForOwner}, for a user who may not be the caller. */
export async function lockForOwnerUser(
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
