import { type CardIssuer, type CardStatus, type IssuedCard, IssuerError } from "@purser/cards/ports";
import { z } from "zod";
import { lithicAccountHolders } from "./account-holders.ts";
import { type CallLithic, idempotencyKey, lithicBaseUrl, lithicClient } from "./client.ts";
import { lithicCardDisplay } from "./display.ts";
import { Token } from "./requests.ts";
import type { LithicConfig } from "./settings.ts";
import { lithicExpiry, lithicWebhooks } from "./webhooks.ts";

/** Issues cards at Lithic. */
export function lithicIssuer(config: LithicConfig): CardIssuer {
  const { currencies = ["USD"], webhookSecrets, webhookUrl } = config;
  const call = lithicClient(config);
  const accounts = lithicAccountHolders(call, config);
  return {
    name: "lithic",
    display: takesOrigin(webhookUrl) ? lithicCardDisplay(call, config, lithicBaseUrl(config)) : null,
    supports: (currency) => currencies.includes(currency),
    missingDetails: accounts.missingDetails,
    updateCardholder: (_reference, holder) => accounts.update(holder),
    createCard: async (request): Promise<IssuedCard> => {
      const { cardId, memo, isAbandoned = false } = request;
      // Lithic repeats a failure to its key, even if the request has made a card, and forgets the key after a day.
      const abandoned = isAbandoned ? await findByMark(call, cardId) : undefined;
      if (abandoned !== undefined) return issuedCard(abandoned);
      const account = await accounts.ensure(request);
      // The idempotency key makes one card per id. A lookup by memo would not: two calls may overlap, and people
      // change memos.
      const key = { "Idempotency-Key": idempotencyKey(`purser:card:${cardId}`) };
      const marked = `${memo} ${markOf(cardId)}`;
      const fields = { type: "VIRTUAL", memo: marked, state: "OPEN", ...account } as const;
      const card = await call("cards.create", LithicCard, ({ cards }, options) =>
        cards.create({ ...fields, ...key }, options),
      );
      return issuedCard(card);
    },
    // Without an idempotency key, as below: a replayed response would leave what a late request has set since.
    setStatus: async (reference, status, { version }) => {
      const change = { ...lithicState[status], comment: `Purser: ${status}, version ${version}` };
      try {
        await call("cards.update", LithicCard, ({ cards }, options) =>
          cards.update(reference, change, options),
        );
      } catch (error) {
        if (!IssuerError.is(error, "refused")) throw error;
        // Lithic refuses every change of a closed card, even to CLOSED.
        const card = await call("cards.retrieve", LithicCard, ({ cards }, options) =>
          cards.retrieve(reference, options),
        );
        if (card.state !== "CLOSED") throw error;
        if (status !== "CLOSED") throw new IssuerError("card_not_found", "Lithic has closed the card");
      }
    },
    // An account holder's card stays in their account. Without account holders, Lithic knows no person. What it can record is
    // a comment: "additional context or information related to the card" (SDK, `CardUpdateParams.comment`).
    setCardholder: accounts.areEnrolled
      ? null
      : async (reference, cardholderId, { version }) => {
          const change = { comment: `Purser: held by ${cardholderId}, version ${version}` };
          await call("cards.update", LithicCard, ({ cards }, options) =>
            cards.update(reference, change, options),
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

/** The stored part of a card. Its number and CVV, which a response may contain, are dropped here. */
const LithicCard = z.object({
  token: Token,
  last_four: z.string().regex(/^\d{4}$/),
  ...lithicExpiry,
  state: z.string(),
});

function issuedCard({
  token: reference,
  last_four: lastFour,
  exp_month: month,
  exp_year: year,
}: z.infer<typeof LithicCard>): IssuedCard {
  return { reference, lastFour, expiryMonth: Number(month), expiryYear: Number(year) };
}

/** The end of a new card's memo: a card at Lithic has no other field for our id. */
const markOf = (cardId: string) => `(${cardId})`;

const MarkedCards = z.object({ data: z.array(LithicCard.extend({ memo: z.string().nullish() })) });

/** Finds a card by the mark in its memo. */
async function findByMark(call: CallLithic, cardId: string) {
  const { data } = await call("cards.list", MarkedCards, ({ cards }, options) =>
    cards.list({ memo: cardId }, options).then(({ data: found }) => ({ data: found })),
  );
  return data.find(({ memo }) => memo?.endsWith(markOf(cardId)));
}

/** Whether Lithic takes the origin of our pages: one with TLS. On localhost, which is for development, it says so itself. */
function takesOrigin(webhookUrl: string | undefined): boolean {
  if (webhookUrl === undefined) return true;
  const { protocol, hostname } = new URL(webhookUrl);
  return protocol === "https:" || hostname === "localhost";
}
