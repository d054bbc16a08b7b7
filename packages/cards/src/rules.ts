import type { ProblemCode } from "@purser/core";
import type { CardStatus } from "./ports.ts";

/** What of a card and of whoever acts on it decides about a change of its status. */
export interface StatusChange {
  isOwner: boolean;
  from: CardStatus;
  to: CardStatus;
  /** Whether the person whom the card is assigned to is a member still. */
  assigneeIsMember: boolean;
}

/**
 * Why a card's status may not be changed so, or null when it may. Owners set any; cardholders pause and resume their
 * own card and close it, but a frozen one is out of their hands. Setting the present status changes nothing and is
 * always allowed to whoever sees the card.
 */
export function refuseStatus({ isOwner, from, to, assigneeIsMember }: StatusChange): ProblemCode | null {
  if (!isOwner && (from === "FROZEN" || to === "FROZEN")) return "FORBIDDEN";
  if (from === to) return null;
  if (from === "CLOSED") return "CARD_CLOSED";
  return to === "ACTIVE" && !assigneeIsMember ? "ASSIGNEE_NOT_MEMBER" : null;
}

/** Whether a member may see a card: owners all of them, others their own. To everybody else it does not exist. */
export function maySee(
  { role, userId }: { role: "OWNER" | "MEMBER"; userId: string },
  card: { assignedToId: string },
): boolean {
  return role === "OWNER" || card.assignedToId === userId;
}
