import { type EventType, Problem, eventSubjects, eventTypes, ownerOnlySubjects } from "@purser/core";
import { type CardAssignment, listAssignments } from "@purser/cards";
import type { Executor } from "@purser/db";
import { type OrganizationAccess, findAccess } from "@purser/organizations";
import { type Caller, isOrganizationKey } from "@purser/platform";

/** Which events of its organization a caller sees. */
export type Visibility = "all" | { hiddenTypes: readonly EventType[]; cards: readonly CardAssignment[] };

/** The types of events that only owners and the cardholder see. One that names no card is an owner's. */
export const cardholderTypes = eventTypes.filter((type) =>
  ["card", "card_transaction"].includes(eventSubjects[type]),
);

const hiddenFromMembers = eventTypes.filter((type) => ownerOnlySubjects.includes(eventSubjects[type]));

/**
 * Owners and keys that may write see everything. Other members see no invitations, keys and webhook endpoints, and of
 * cards, card transactions and reveals only those of their own cards, from the assignment on.
 */
export async function visibilityOf(
  db: Executor,
  caller: Caller,
  { membership }: Pick<OrganizationAccess, "membership">,
): Promise<Visibility> {
  if (isOrganizationKey(caller) ? caller.access === "write" : membership.role === "OWNER") return "all";
  const { organizationId, userId } = membership;
  const cards = userId === null ? [] : await listAssignments(db, organizationId, userId);
  return { hiddenTypes: hiddenFromMembers, cards };
}

/** Looks up what a caller sees at present, access included. Throws ORGANIZATION_NOT_FOUND for a caller who has lost it. */
export async function findVisibility(
  db: Executor,
  organizationId: string,
  caller: Caller,
  now: Date,
): Promise<Visibility> {
  const access = await findAccess(db, organizationId, caller, now);
  if (access === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
  return visibilityOf(db, caller, access);
}

/** Whether a caller sees an event that is already in memory. */
export function isVisible(
  visibility: Visibility,
  event: { type: EventType; cardId: string | null; createdAt: Date },
): boolean {
  if (visibility === "all") return true;
  if (visibility.hiddenTypes.includes(event.type)) return false;
  if (event.cardId === null) return !cardholderTypes.includes(event.type);
  const card = visibility.cards.find(({ cardId }) => cardId === event.cardId);
  return card !== undefined && (card.since === null || event.createdAt >= card.since);
}
