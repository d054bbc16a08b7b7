import type { ProblemCode } from "@purser/core";
import type { Membership } from "../membership.ts";

/** Returns why the actor may not remove the target, or null if they may. */
export function refuseRemoval(actor: Membership, target: Membership): ProblemCode | null {
  const oneself = actor.id === target.id;
  if (actor.role !== "OWNER") return oneself ? null : "FORBIDDEN";
  if (oneself) return "OWNER_CANNOT_LEAVE";
  return target.isCreator ? "CREATOR_PROTECTED" : null;
}

/** Returns why the actor may not set the target's role to this one, or null if they may. */
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

/** Returns why the user of this membership cannot be deleted, or null if they can. */
export function refuseRelease(membership: Membership, owners: number): ProblemCode | null {
  if (membership.isCreator) return "CREATOR_PROTECTED";
  return membership.role === "OWNER" && owners === 1 ? "LAST_OWNER" : null;
}
