import { type ProblemCode, membershipRoles } from "@purser/core";
import type { Membership } from "./store.ts";

/** Who changes a membership of the same organization. A key acts as a member, and is no user's. */
interface Actor {
  role: Membership["role"];
  userId: string | null;
}

/** Returns why the actor may not remove the target, or null if they may. */
export function refuseRemoval(actor: Actor, target: Membership): ProblemCode | null {
  const oneself = actor.userId === target.userId;
  if (actor.role !== "OWNER") return oneself ? null : "FORBIDDEN";
  if (oneself) return "OWNER_CANNOT_LEAVE";
  return target.isCreator ? "CREATOR_PROTECTED" : null;
}

/** Returns why the actor may not set the target's role to this one, or null if they may. */
export function refuseRoleChange(
  actor: Actor,
  target: Membership,
  role: Membership["role"],
  owners: number,
): ProblemCode | null {
  if (actor.role !== "OWNER") return "FORBIDDEN";
  if (role === "OWNER" || target.role === "MEMBER") return null;
  if (target.isCreator) return "CREATOR_PROTECTED";
  return owners === 1 ? "LAST_OWNER" : null;
}

/** Returns what the actor may change about the target now. */
export function memberPermissions(actor: Actor, target: Membership, owners: number) {
  const others = membershipRoles.filter((role) => role !== target.role);
  return {
    nextRoles: others.filter((role) => refuseRoleChange(actor, target, role, owners) === null),
    canRemove: refuseRemoval(actor, target) === null,
  };
}

/** Returns why the user of this membership cannot be deleted, or null if they can. */
export function refuseUserDeletion(membership: Membership, owners: number): ProblemCode | null {
  if (membership.isCreator) return "CREATOR_PROTECTED";
  return membership.role === "OWNER" && owners === 1 ? "LAST_OWNER" : null;
}
