import { createHash } from "node:crypto";
import { type CardIssuer, type CardStatus, type IssuedCard, IssuerError } from "@purser/cards/ports";
import { Lithic } from "lithic";
import { z } from "zod";
import { lithicError, readable } from "./errors.ts";
import { Token } from "./requests.ts";
import type { LithicConfig } from "./settings.ts";
import { lithicWebhooks } from "./webhooks.ts";

/** Issues cards at Lithic. */
export function lithicIssuer(config: LithicConfig): CardIssuer {
  const { currencies = ["USD"], webhookSecrets } = config;
  const call = lithicClient(config);
  return {
    name: "lithic",
    supports: (currency) => currencies.includes(currency),
    createCard: async ({ cardId, memo }): Promise<IssuedCard> => {
      // The idempotency key makes one card per id. A lookup by memo would not: two calls may overlap, and people
      // change memos.
      const key = { "Idempotency-Key": idempotencyKey(`purser:card:${cardId}`) };
      const card = await call("cards.create", (cards, options) =>
        cards.create({ type: "VIRTUAL", memo, state: "OPEN", ...key }, options),
      );
      const { token: reference, last_four: lastFour, exp_month: month, exp_year: year } = card;
      return { reference, lastFour, expiryMonth: Number(month), expiryYear: Number(year) };
    },
    setStatus: async (reference, status, { cardId, version }) => {
      const headers = { "Idempotency-Key": idempotencyKey(`purser:card:${cardId}:${version}`) };
      const change = { ...lithicState[status], comment: `Purser: ${status}, version ${version}` };
      try {
        await call("cards.update", (cards, options) =>
          cards.update(reference, change, { ...options, headers }),
        );
      } catch (error) {
        if (!(error instanceof IssuerError) || error.kind !== "refused") throw error;
        // Lithic refuses every change of a closed card, even to CLOSED.
        const card = await call("cards.retrieve", (cards, options) => cards.retrieve(reference, options));
        if (card.state !== "CLOSED") throw error;
        if (status !== "CLOSED") throw new IssuerError("card_not_found", "Lithic has closed the card");
      }
    },
    // Lithic knows an account and no person. What it can record is a comment: "additional context or information related
    // to the card" (SDK, `CardUpdateParams.comment`).
    setCardholder: async (reference, cardholderId, { cardId, version }) => {
      const headers = { "Idempotency-Key": idempotencyKey(`purser:cardholder:${cardId}:${version}`) };
      const change = { comment: `Purser: held by ${cardholderId}, version ${version}` };
      await call("cards.update", (cards, options) =>
        cards.update(reference, change, { ...options, headers }),
      );
    },
    webhooks: lithicWebhooks(webhookSecrets),
  };
}

/** A card paused by its holder and a frozen one have the same state at Lithic, with different substates. */
const lithicState = {
  ACTIVE: { state: "OPEN" },
  PAUSED: { state: "PAUSED", substatus: "OTHER" },
  FROZEN: { state: "PAUSED", substatus: "INTERNAL_REVIEW" },
  CLOSED: { state: "CLOSED", substatus: "OTHER" },
} as const satisfies Record<CardStatus, object>;

/** Lithic's idempotency keys are UUIDs, so this is a hash in the form of a UUID (version 8 of RFC 9562). */
function idempotencyKey(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** The stored part of a card. Its number and CVV, which a response may contain, are dropped here. */
const LithicCard = z.object({
  token: Token,
  last_four: z.string().regex(/^\d{4}$/),
  exp_month: z.string().regex(/^(0?[1-9]|1[0-2])$/),
  exp_year: z.string().regex(/^[2-9]\d{3}$/),
  state: z.string(),
});

type LithicCards = Lithic["cards"];
/** Makes one call and reads the card in its response. Throws {@link IssuerError} for any other response. */
type CallLithic = (
  name: string,
  call: (cards: LithicCards, options: { signal: AbortSignal }) => Promise<unknown>,
) => Promise<z.infer<typeof LithicCard>>;

const baseUrls = { sandbox: "https://sandbox.lithic.com", production: "https://api.lithic.com" } as const;

function lithicClient({ apiKey, environment, baseUrl, timeoutMs = 20_000, clock }: LithicConfig): CallLithic {
  const client = new Lithic({
    apiKey,
    baseURL: baseUrl ?? baseUrls[environment],
    // The caller decides when to retry.
    maxRetries: 0,
    // At its debug level the SDK logs whole responses.
    logLevel: "off",
    // A redirect would send the API key to another host.
    fetchOptions: { redirect: "error" },
  });
  return async (name, call) => {
    // The SDK's own timeout ends when the headers arrive; this one covers the body too.
    const response = await call(client.cards, { signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: unknown) => {
        throw lithicError(name, error, clock);
      },
    );
    return readable(name, LithicCard, response);
  };
}
