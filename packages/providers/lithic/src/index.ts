import { createHash } from "node:crypto";
import { Lithic } from "lithic";
import type { z } from "zod";
import { type CardIssuer, type IssuedCard, IssuerError } from "@purser/cards/ports";
import { lithicError, readable } from "./errors.ts";
import { Card, issuedCard, lithicState } from "./mapping.ts";
import type { LithicConfig } from "./settings.ts";
import { lithicWebhooks } from "./webhooks.ts";
export { lithicWebhooks } from "./webhooks.ts";

const addresses = { sandbox: "https://sandbox.lithic.com", production: "https://api.lithic.com" } as const;

type Cards = Lithic["cards"];
/** Makes one call and reads its answer. Throws {@link IssuerError} for every answer that is not what was asked for. */
type Ask = (
  name: string,
  call: (cards: Cards, options: { signal: AbortSignal }) => Promise<unknown>,
) => Promise<z.infer<typeof Card>>;

/** Cards through Lithic. */
export function lithicIssuer(config: LithicConfig): CardIssuer {
  const { currencies = ["USD"], webhookSecrets } = config;
  const ask = lithicClient(config);
  return {
    name: "lithic",
    supports: (currency) => currencies.includes(currency),
    createCard: async ({ cardId, memo }): Promise<IssuedCard> => {
      // Lithic takes an idempotency key for new cards, which says more than a look for a card of this memo: two may
      // be asked for at once, and people change a memo.
      const key = { "Idempotency-Key": keyFor(`purser:card:${cardId}`) };
      const card = await ask("cards.create", (cards, options) =>
        cards.create({ type: "VIRTUAL", memo, state: "OPEN", ...key }, options),
      );
      return issuedCard(card);
    },
    setStatus: async (reference, status, { cardId, version }) => {
      const headers = { "Idempotency-Key": keyFor(`purser:card:${cardId}:${version}`) };
      const change = { ...lithicState[status], comment: `Purser: ${status}, version ${version}` };
      try {
        await ask("cards.update", (cards, options) =>
          cards.update(reference, change, { ...options, headers }),
        );
      } catch (error) {
        if (!(error instanceof IssuerError) || error.kind !== "refused") throw error;
        // A closed card takes no change, not even to what it is.
        const card = await ask("cards.retrieve", (cards, options) => cards.retrieve(reference, options));
        if (card.state !== "CLOSED") throw error;
        if (status !== "CLOSED") throw new IssuerError("card_not_found", "Lithic has closed the card");
      }
    },
    webhooks: lithicWebhooks(webhookSecrets),
  };
}

/** The key for what is to be done once. Lithic's keys are UUIDs: this one holds a hash (version 8 of RFC 9562). */
function keyFor(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function lithicClient({ apiKey, environment, baseUrl, timeoutMs = 20_000, clock }: LithicConfig): Ask {
  const client = new Lithic({
    apiKey,
    baseURL: baseUrl ?? addresses[environment],
    // Whoever asks decides when to ask again.
    maxRetries: 0,
    // At its most talkative the SDK would log whole answers.
    logLevel: "off",
    // The key would go along to wherever a redirect leads.
    fetchOptions: { redirect: "error" },
  });
  return async (name, call) => {
    // The SDK's own limit ends with the answer's headers.
    const given = await call(client.cards, { signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: unknown) => {
        throw lithicError(name, error, clock);
      },
    );
    return readable(name, Card, given);
  };
}
