import { Problem, type ProblemCode } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { CallerContext } from "@purser/platform";
import { type OrganizationAccess, type RequiredRole, findAccess, refuseAccess } from "../access.ts";
import { findMembership } from "../members/store.ts";
import { type OrganizationRow, lockOrganization } from "../store.ts";

/**
 * Locks an organization and makes the check of the request again. Since then the caller may have been removed or demoted, the
 * key revoked, or the organization deleted. Throws `missing` or FORBIDDEN.
 */
const lockFor =
  (role: RequiredRole) =>
  async (
    { caller, clock }: Pick<CallerContext, "caller" | "clock">,
    transaction: Transaction,
    organizationId: string,
    missing: ProblemCode = "ORGANIZATION_NOT_FOUND",
  ): Promise<OrganizationAccess> => {
    const organization = await lockOrganization(transaction, organizationId);
    const access = organization && (await findAccess(transaction, organizationId, caller, clock.now()));
    if (organization === undefined || access === undefined) throw new Problem(missing);
    const refusal = refuseAccess(role, access, caller, true);
    if (refusal !== null) throw refusal;
    return { ...access, organization };
  };

/** Locks an organization for a change that a member may make, whose rights are returned. */
export const lockForMember = lockFor("member");

/** Locks an organization for a change that only an owner may make. */
export const lockForOwner = lockFor("owner");

/** Locks an organization for a change that a key of the organization may make too. */
export const lockForOwnerOrKey = lockFor("ownerOrKey");

/** Like {@link lockForOwner}, for a user who may not be the caller. */
export async function lockForOwnerUser(
  transaction: Transaction,
  organizationId: string,
  userId: string,
): Promise<OrganizationRow> {
  const organization = await lockOrganization(transaction, organizationId);
  const membership = organization && (await findMembership(transaction, organizationId, userId));
  if (organization === undefined || membership === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
  if (membership.role !== "OWNER") throw new Problem("FORBIDDEN");
  return organization;
}
