import { Problem } from "@purser/core";
import type { Database, Executor } from "@purser/db";
import { type Caller, type CallerContext, isOrganizationKey, refuseKey } from "@purser/platform";
import { findOrganizationOfKey } from "./keys/store.ts";
import { type Membership, findAccessOfUser } from "./members/store.ts";
import type { OrganizationRow } from "./store.ts";

/** The organization of a request and the caller's rights in it. The router has checked both. */
export interface OrganizationAccess {
  organization: OrganizationRow;
  /** A user's membership. A key of the organization acts as a member, and is no user's. */
  membership: Pick<Membership, "organizationId" | "role"> & { userId: string | null };
}

/** The context of a procedure inside an organization. */
export type MemberContext = CallerContext & OrganizationAccess;

/** The database of a list: the replica or the primary. */
export interface ReadDatabase {
  readDb: Database;
}

/** The context of a list inside an organization. */
export type ListContext = MemberContext & ReadDatabase;

/**
 * The access check of every request inside an organization: returns the organization and the caller's present rights.
 * Undefined for users who are not members, and for keys of other organizations. A deleted organization has no
 * memberships, and its keys are not valid.
 */
export async function findAccess(
  db: Executor,
  organizationId: string,
  caller: Caller,
  now: Date,
): Promise<OrganizationAccess | undefined> {
  if (!isOrganizationKey(caller)) return findAccessOfUser(db, organizationId, caller.userId);
  if (caller.organizationId !== organizationId) return undefined;
  const organization = await findOrganizationOfKey(db, { organizationId, id: caller.keyId }, now);
  return organization && { organization, membership: { organizationId, role: "MEMBER", userId: null } };
}

/** What a caller must be in the organization. `ownerOrKey` also accepts keys that may write. */
export type RequiredRole = "member" | "owner" | "ownerOrKey";

/** Returns why a caller with this access may not act in the role, or null if they may. A read-only key may not write. */
export function refuseAccess(
  role: RequiredRole,
  { membership }: OrganizationAccess,
  caller: Caller,
  isWrite: boolean,
): Problem | null {
  if (!isOrganizationKey(caller))
    return role === "member" || membership.role === "OWNER" ? null : new Problem("FORBIDDEN");
  if (role === "owner") return refuseKey("owner");
  const needsWrite = isWrite || role === "ownerOrKey";
  return needsWrite && caller.access === "read" ? refuseKey("write") : null;
}

/**
 * Throws EMAIL_NOT_VERIFIED for a user whose address must be verified and is not. Anyone can sign up with any address, and
 * the access that they give in an organization would outlast the proof of whose address it is. A key has no address.
 */
export function requireVerifiedAddress({ caller, settings }: CallerContext): void {
  if (isOrganizationKey(caller) || caller.emailVerified || !settings.requireVerifiedEmail) return;
  throw new Problem("EMAIL_NOT_VERIFIED");
}
