import { Problem } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { findMembership } from "@purser/organizations";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import type { TheCard } from "../contract.ts";
import { maySee } from "../rules.ts";
import { type IssuedCardRow, findCard, lockIssuedCard } from "../store.ts";

/** Returns a card that the caller may see. Throws CARD_NOT_FOUND for any other. */
export async function visibleCard(
  { membership }: Pick<CardsContext, "membership">,
  db: Executor,
  { organizationId, cardId }: z.output<typeof TheCard>,
): Promise<IssuedCardRow> {
  const card = await findCard(db, { organizationId, id: cardId });
  if (card === undefined || !maySee(membership, card)) throw new Problem("CARD_NOT_FOUND");
  return card;
}

/** Locks a card that the caller may see. Throws CARD_NOT_FOUND for any other. */
export async function lockVisibleCard(
  { membership }: Pick<CardsContext, "membership">,
  transaction: Transaction,
  { organizationId, cardId }: z.output<typeof TheCard>,
): Promise<IssuedCardRow> {
  const card = await lockIssuedCard(transaction, { organizationId, id: cardId });
  if (card === undefined || !maySee(membership, card)) throw new Problem("CARD_NOT_FOUND");
  return card;
}

/** Throws MEMBERSHIP_NOT_FOUND for a user who is not a member. */
export async function requireAssignee(
  transaction: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  if (await findMembership(transaction, organizationId, userId)) return;
  throw new Problem("MEMBERSHIP_NOT_FOUND", { detail: "The assignee is not a member of the organization." });
}
