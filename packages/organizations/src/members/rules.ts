import type { ProblemCode } from "@purser/core";
import type { Membership } from "../membership.ts";

/** Why this membership may not be removed by this member, or null when it may. */
export function refuseRemoval(actor: Membership, target: Membership): ProblemCode | null {
  const oneself = actor.id === target.id;
  if (actor.role !== "OWNER") return oneself ? null : "FORBIDDEN";
  if (oneself) return "OWNER_CANNOT_LEAVE";
  return target.isCreator ? "CREATOR_PROTECTED" : null;
}

/** Why this member may not give the target this role, or null when they may. */
export function refuseRole(
  actor: Membership,
  target: Membership,
  role: Membership["role"],
  owners: number,
): ProblemCode | null {
  if (actor.role !== "OWNER") return "FORBIDDEN";
  if (role === "OWNER" || target.role === "MEMBER") return null;
  if (target.isCreator) return "CREATOR_PROTECTED";
  return owners === 1 ? "LAST_OWNER" : null;
}

/** Why this member cannot be taken out because their user is deleted, or null when they can. */
export function refuseRelease(membership: Membership, owners: number): ProblemCode | null {
  if (membership.isCreator) return "CREATOR_PROTECTED";
  return membership.role === "OWNER" && owners === 1 ? "LAST_OWNER" : null;
}
