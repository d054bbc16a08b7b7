import type { CardsPlatform } from "../context.ts";
import type { JobHandlers } from "../../platform/jobs.ts";
import { expireHolds } from "../authorizations/service/expire.ts";
import { type CardRequest, IssuerError, type IssuerName } from "../ports.ts";
import { findCard, listUnissued } from "../store.ts";
import { abandon } from "./create.ts";

/** A card that may have been made at its issuer, and that nobody was told of: what it was asked for with. */
export interface AbandonedCard extends CardRequest {
  issuer: IssuerName;
}

/** What cards do in the background. */
export function cardJobs(
  platform: CardsPlatform,
): Pick<JobHandlers, "cards.status" | "cards.abandon" | "cards.sweep"> {
  return {
    "cards.status": (card) => tellStatus(platform, card),
    "cards.abandon": (card) => closeAbandoned(platform, card),
    "cards.sweep": async () => {
      try {
        await expireHolds(platform);
      } finally {
        await abandonCards(platform);
      }
    },
  };
}

/**
 * Brings the issuer's card to the status that ours has now. Where it has changed meanwhile, it is told again: of
 * several that tell at the same time, the last word is about the last change.
 */
async function tellStatus(
  { db, issuers }: CardsPlatform,
  { organizationId, cardId }: { organizationId: string; cardId: string },
): Promise<void> {
  for (let told = -1; ;) {
    const card = await findCard(db, { organizationId, id: cardId });
    if (card === undefined || card.version === told) return;
    const issuer = await issuers.at(card.issuer);
    await issuer.setStatus(card.issuerReference!, card.status, { cardId, version: card.version });
    told = card.version;
  }
}

/** Asks for the card once more, which gives the same one, and closes it. */
async function closeAbandoned(
  { issuers }: CardsPlatform,
  { issuer: name, ...request }: AbandonedCard,
): Promise<void> {
  const issuer = await issuers.at(name);
  if (!issuer.supports(request.currency)) return;
  try {
    const { reference } = await issuer.createCard(request);
    await issuer.setStatus(reference, "CLOSED", { cardId: request.cardId, version: 0 });
  } catch (error) {
    // What the issuer refuses, it has not made.
    if (!(error instanceof IssuerError) || error.kind !== "refused") throw error;
  }
}

/** Issuing takes seconds; what has not ended after this long has died with its process. */
const issuingMs = 10 * 60 * 1000;

async function abandonCards(platform: CardsPlatform): Promise<void> {
  const before = new Date(platform.clock.now().getTime() - issuingMs);
  for (const card of await listUnissued(platform.db, before)) {
    await platform.db.transaction((transaction) => abandon(platform, transaction, card));
  }
}
