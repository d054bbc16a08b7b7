import { type ProblemCode, cardStatuses, type membershipRoles } from "@purser/core";
import type { CardStatus } from "./ports.ts";

/** A change of a card's status, and the circumstances that decide about it. */
export interface StatusChange {
  isOwner: boolean;
  from: CardStatus;
  to: CardStatus;
  /** Whether the assignee is still a member. */
  assigneeIsMember: boolean;
}

/**
 * Returns why a status may not be set, or null if it may. Owners set any status. Cardholders pause, resume and close
 * their own card, but cannot freeze or unfreeze it. Setting the current status is always allowed.
 */
export function refuseStatus({ isOwner, from, to, assigneeIsMember }: StatusChange): ProblemCode | null {
  if (!isOwner && (from === "FROZEN" || to === "FROZEN")) return "FORBIDDEN";
  if (from === to) return null;
  if (from === "CLOSED") return "CARD_CLOSED";
  return to === "ACTIVE" && !assigneeIsMember ? "ASSIGNEE_NOT_MEMBER" : null;
}

/** Returns the statuses that may be set now, besides the present one. */
export function nextStatuses(circumstances: Omit<StatusChange, "to">): CardStatus[] {
  const others = cardStatuses.filter((to) => to !== circumstances.from);
  return others.filter((to) => refuseStatus({ ...circumstances, to }) === null);
}

/** Returns why the holder, policy or nickname of a card may not be changed, or null if they may. */
export function refuseUpdate({
  isOwner,
  status,
}: {
  isOwner: boolean;
  status: CardStatus;
}): ProblemCode | null {
  if (!isOwner) return "FORBIDDEN";
  return status === "CLOSED" ? "CARD_CLOSED" : null;
}

/**
 * Owners see all cards and transactions, members their own cards and the transactions of their time with them. Anything
 * else does not exist for them.
 */
export function maySee(
  { role, userId }: { role: (typeof membershipRoles)[number]; userId: string | null },
  card: { assignedToId: string | null },
): boolean {
  return role === "OWNER" || (userId !== null && card.assignedToId === userId);
}

/** Whether so much of a limit is used that purchases may be declined soon. */
export const isNearLimit = (limit: number | null, used: number | null): boolean =>
  limit !== null && used !== null && used > limit * 0.8;

/** Returns why the number of a card may not be shown to a user, or null if it may. */
export function refuseReveal(
  { assignedToId, status }: { assignedToId: string; status: CardStatus },
  userId: string,
): ProblemCode | null {
  if (assignedToId !== userId) return "FORBIDDEN";
  if (status === "CLOSED") return "CARD_CLOSED";
  return status === "FROZEN" ? "CARD_FROZEN" : null;
}
