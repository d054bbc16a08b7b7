import type { CardsPlatform } from "../context.ts";
import type { CardIssuer } from "../ports.ts";
import { type IssuedCardRow, findCard } from "../store.ts";

type TheCard = Record<"organizationId" | "cardId", string>;

/** Sends the status of a card to its issuer. */
export const sendStatus = (platform: CardsPlatform, card: TheCard): Promise<void> =>
  untilVersionSent(platform, card, (issuer, { issuerReference, status }, change) =>
    issuer.setStatus(issuerReference, status, change),
  );

/** Names the cardholder of a card to its issuer. */
export const sendCardholder = (platform: CardsPlatform, card: TheCard): Promise<void> =>
  untilVersionSent(platform, card, async (issuer, { issuerReference, assignedToId }, change) =>
    issuer.setCardholder?.(issuerReference, assignedToId, change),
  );

/** Sends a card to its issuer until it has not changed during the call: the last of overlapping jobs sends the last change. */
async function untilVersionSent(
  { db, issuers }: CardsPlatform,
  { organizationId, cardId }: TheCard,
  send: (
    issuer: CardIssuer,
    card: IssuedCardRow,
    change: { cardId: string; version: number },
  ) => Promise<void>,
): Promise<void> {
  for (let sentVersion = -1; ;) {
    const card = await findCard(db, { organizationId, id: cardId });
    if (card === undefined || card.version === sentVersion) return;
    const issuer = await issuers.at(card.issuer);
    await send(issuer, card, { cardId, version: card.version });
    sentVersion = card.version;
  }
}
