import type { Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import { type EventPlatform, recordEvents } from "@purser/platform/events";
import { Card } from "../contract.ts";
import type { IssuedCardRow } from "../store.ts";
import type { CardEvent } from "./contract.ts";

export type CardChangeType = Extract<CardEvent, { subject: { type: "card" } }>["type"];

/** Records what happened to a card, with the card as it is then. */
export async function recordCardChange(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor,
  types: readonly CardChangeType[],
  card: IssuedCardRow,
): Promise<void> {
  const { organizationId, id } = card;
  const data = Card.parse(card);
  const changes = types.map((type) => ({ organizationId, type, subject: id, cardId: id, data }));
  await recordEvents<CardEvent>(platform, transaction, actor, changes);
}
