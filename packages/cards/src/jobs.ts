import type { CardsPlatform } from "./context.ts";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import { expireHolds } from "./authorizations/service/expire.ts";
import { type AbandonedCard, cardJobs } from "./job-definitions.ts";
import { IssuerError } from "./ports.ts";
import { findCard, listUnissued } from "./store.ts";
import { abandon } from "./service/create.ts";

/** The handlers of the jobs of cards. */
export function cardHandlers(platform: CardsPlatform): HandledJob[] {
  return handleJobs(cardJobs, {
    status: (card) => syncCardStatus(platform, card),
    abandon: (card) => closeAbandoned(platform, card),
    sweep: async () => {
      try {
        await expireHolds(platform);
      } finally {
        await abandonCards(platform);
      }
    },
  });
}

/**
 * Brings the issuer's card to the status that ours has now. Where it has changed meanwhile, it is told again: of
 * several that tell at the same time, the last word is about the last change.
 */
async function syncCardStatus(
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
