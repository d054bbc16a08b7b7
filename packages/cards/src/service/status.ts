import type { Transaction } from "@purser/db";
import { type Act, type Platform, recordAudit } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { recordCardChange } from "../feed-events/service.ts";
import { cardJobs } from "../job-definitions.ts";
import type { CardStatus } from "../ports.ts";
import { type CardRow, type IssuedCardRow, listOpenCardsOf, lockIssuedCard, setCard } from "../store.ts";

/** Freezes the cards of a member who leaves, until an owner assigns them to another member. */
export async function freezeCardsOf(
  platform: EventPlatform & Pick<Platform, "outbox">,
  transaction: Transaction,
  act: Act,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  for (const { id } of await listOpenCardsOf(transaction, organizationId, userId)) {
    const card = await lockIssuedCard(transaction, { organizationId, id });
    if (card === undefined || card.status === "CLOSED") continue;
    await setStatus(platform, transaction, act, card, "FROZEN", "The cardholder is not a member any more.");
  }
}

/**
 * Sets a status. It holds for the next decision; the outbox updates the issuer, which may be down. The present status changes
 * nothing here, and reaches an issuer that has missed it, as after hours with a revoked API key.
 */
export async function setStatus(
  platform: EventPlatform & Pick<Platform, "outbox">,
  transaction: Transaction,
  act: Act,
  card: IssuedCardRow,
  status: CardStatus,
  reason: string | undefined,
): Promise<Pick<CardRow, "id" | "closedAt">> {
  const { organizationId, id } = card;
  await platform.outbox.enqueue(transaction, cardJobs.status, { organizationId, cardId: id });
  if (status === card.status) return card;
  const now = platform.clock.now();
  const closedAt = status === "CLOSED" ? now : null;
  await setCard(transaction, card, { status, closedAt });
  const details = { from: card.status, to: status, ...(reason !== undefined && { reason }) };
  recordAudit(transaction, { ...act, at: now, organizationId, subject: id, details });
  const after = { ...card, status, closedAt };
  await recordCardChange(platform, transaction, act.actor, ["card.status_changed"], after);
  return { id, closedAt };
}
