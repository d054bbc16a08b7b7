import { type HousekeepingTask, createBatcher } from "@purser/platform";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import { declineLate } from "./authorizations/service/advise.ts";
import { expireHolds } from "./authorizations/service/expire.ts";
import { enqueueRecounts, recountForTimeZone } from "./authorizations/service/recount-for-time-zone.ts";
import { type CardholderKey, readCardholder } from "./cardholder/store.ts";
import type { CardsPlatform } from "./context.ts";
import { type AbandonedCard, type LateRequest, cardJobs } from "./job-definitions.ts";
import { type CardIssuer, IssuerError, type RequestMessage } from "./ports.ts";
import { foldSpending } from "./reports/service/fold.ts";
import { purgeEndedReveals } from "./reveal/service.ts";
import { abandonCard, cardRequestOf } from "./service/abandon.ts";
import { type CardRow, findCard, listOpenCardsOf, listUnissued } from "./store.ts";

/** The handlers of the jobs of cards. */
export function cardHandlers(platform: CardsPlatform): HandledJob[] {
  return handleJobs(cardJobs, {
    status: (card) =>
      syncCard(platform, card, (issuer, { issuerReference, status }, change) =>
        issuer.setStatus(issuerReference!, status, change),
      ),
    holder: (card) =>
      syncCard(platform, card, async (issuer, { issuerReference, assignedToId }, change) =>
        issuer.setCardholder?.(issuerReference!, assignedToId, change),
      ),
    cardholder: (cardholder) => syncCardholder(platform, cardholder),
    declineLate: ({ issuer, message }) => declineLate(platform, issuer, withInstants(message)),
    abandon: (card) => closeAbandoned(platform, card),
    recountAll: (page) => enqueueRecounts(platform, page),
    // One card at a time: ten at once, as jobs run, would take all connections of this process.
    recount: createBatcher({
      run: async ([card]) => [await recountForTimeZone(platform, card!)],
      maxBatchSize: 1,
      maxWaitMs: 60_000,
    }),
    sweep: async () => {
      try {
        await expireHolds(platform);
      } finally {
        await abandonCards(platform);
      }
    },
  });
}

/** The hourly tasks of cards. */
export const cardTasks = (platform: CardsPlatform): HousekeepingTask[] => [
  () => purgeEndedReveals(platform),
  () => foldSpending(platform),
];

function withInstants(message: LateRequest["message"]): RequestMessage {
  const at = new Date(message.at);
  const receivedAt = message.receivedAt === undefined ? undefined : new Date(message.receivedAt);
  if (message.kind === "increment") return { ...message, at, receivedAt };
  const expiresAt = message.expiresAt === null ? null : new Date(message.expiresAt);
  return { ...message, at, receivedAt, expiresAt };
}

/**
 * Sets something of the issuer's card to what it is here. If the card changes meanwhile, it sets it again, so that of
 * several overlapping jobs the last call is about the last change.
 */
async function syncCard(
  { db, issuers }: CardsPlatform,
  { organizationId, cardId }: { organizationId: string; cardId: string },
  set: (issuer: CardIssuer, card: CardRow, change: { cardId: string; version: number }) => Promise<void>,
): Promise<void> {
  for (let sentVersion = -1; ;) {
    const card = await findCard(db, { organizationId, id: cardId });
    if (card === undefined || card.version === sentVersion) return;
    const issuer = await issuers.at(card.issuer);
    await set(issuer, card, { cardId, version: card.version });
    sentVersion = card.version;
  }
}

/** Sends a cardholder's details about each open card. If they change meanwhile, sends them again. */
async function syncCardholder(platform: CardsPlatform, key: CardholderKey): Promise<void> {
  const { db, issuers, settings } = platform;
  for (let sentVersion = 0; ;) {
    const { details, version } = await readCardholder(db, settings.encryptionKeys, key);
    if (version === sentVersion) return;
    const cards = await listOpenCardsOf(db, key.organizationId, key.userId);
    for (const card of cards) {
      const { organizationId, cardholder } = await cardRequestOf(db, card);
      const issuer = await issuers.at(card.issuer);
      const holder = { organizationId, cardholder: { ...cardholder, details } };
      await issuer.updateCardholder(card.issuerReference!, holder);
    }
    sentVersion = version;
  }
}

/** Requests the card again, which returns the same card, and closes it. */
async function closeAbandoned(
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
    const isRefused = error instanceof IssuerError && ["refused", "details_required"].includes(error.kind);
    if (!isRefused) throw error;
  }
}

/** Issuing takes seconds. After this long, the process that did it has died. */
const issuingMs = 10 * 60 * 1000;

async function abandonCards(platform: CardsPlatform): Promise<void> {
  const before = new Date(platform.clock.now().getTime() - issuingMs);
  for (const card of await listUnissued(platform.db, before)) {
    await platform.db.transaction((transaction) => abandonCard(platform, transaction, card));
  }
}
