import { addMs } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import { type Platform, changeOrganization } from "@purser/platform";
import { readCardholder } from "../cardholder/store.ts";
import type { CardsPlatform } from "../context.ts";
import { type AbandonedCard, cardJobs } from "../job-definitions.ts";
import { type CardRequest, IssuerError } from "../ports.ts";
import { type CardRow, deleteUnissued, findEarlierCard, listUnissued } from "../store.ts";

/** Issuing takes seconds. After this long, the process that did it has died. */
const issuingTimeoutMs = 10 * 60 * 1000;

/** Abandons the cards whose issuing was interrupted. */
export async function abandonUnissuedCards(platform: CardsPlatform): Promise<void> {
  const before = addMs(platform.clock.now(), -issuingTimeoutMs);
  for (const card of await listUnissued(platform.db, before)) {
    await changeOrganization(platform, card.organizationId, (transaction) =>
      abandonCard(platform, transaction, card),
    );
  }
}

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

/** Requests the card again, which returns the same card, and closes it. */
export async function closeAbandonedAtIssuer(
  { db, issuers, settings }: CardsPlatform,
  { issuer: name, ...request }: AbandonedCard,
): Promise<void> {
  const issuer = await issuers.at(name);
  if (!issuer.supports(request.currency)) return;
  const { organizationId, cardholder } = request;
  const key = { organizationId, userId: cardholder.id };
  const { details } = await readCardholder(db, settings.encryptionKeys, key);
  try {
    const again = { ...request, cardholder: { ...cardholder, details }, isAbandoned: true };
    const { reference } = await issuer.createCard(again);
    await issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 0 });
  } catch (error) {
    // A refused request made no card.
    const isRefused = IssuerError.is(error, "refused", "details_required");
    if (!isRefused) throw error;
  }
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
