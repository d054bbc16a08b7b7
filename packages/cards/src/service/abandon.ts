import type { Executor, Transaction } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import type { Platform } from "@purser/platform";
import { cardJobs } from "../job-definitions.ts";
import type { CardRequest } from "../ports.ts";
import { type CardRow, deleteUnissued, findEarlierCard } from "../store.ts";

/** Deletes an intent that did not become a card, and enqueues the job that closes the issuer's card, if there is one. */
export async function abandonCard(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  card: CardRow,
): Promise<void> {
  const request = await cardRequestOf(transaction, card);
  if (!(await deleteUnissued(transaction, card))) return;
  await outbox.enqueue(transaction, cardJobs.abandon, { ...request, issuer: card.issuer });
}

/** The request to the issuer for a card. */
export async function cardRequestOf(db: Executor, card: CardRow): Promise<CardRequest> {
  const { id: cardId, organizationId, currency, nickname, assignedToId } = card;
  const users = await findUsers(db, [assignedToId]);
  // The assignee may have deleted their account since. Then the request only serves to close the card.
  const { name = "", email = "" } = users.get(assignedToId) ?? {};
  const earlierCard = await findEarlierCard(db, card);
  return {
    cardId,
    organizationId,
    currency,
    memo: nickname ?? "Purser",
    cardholder: { id: assignedToId, name, email },
    ...(earlierCard !== undefined && { earlierCard }),
  };
}
