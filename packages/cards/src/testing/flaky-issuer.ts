import { type CardIssuer, type CardStatus, IssuerError, type Issuers } from "../ports.ts";

/** How the issuer answers its next calls. */
export type FailureMode =
  | "well"
  /** Fails without an effect. */
  | "down"
  /** Has its effect, and the response is lost. */
  | "mute"
  /** Has its effect and never responds, as if the caller died. */
  | "deadly"
  | "refusing";

export interface FlakyIssuer {
  mood: FailureMode;
  issuers: Issuers;
  /** The cards at the issuer with their status there, by our ids. */
  cards: Map<string, CardStatus>;
}

/** Planted in the issuer's responses. They must never be stored. */
export const secrets = { number: "4929123412341234", cvv: "cvv-137-cvv" };

/** An issuer with visible cards that fails on demand. */
export function flakyIssuer(): FlakyIssuer {
  const cards = new Map<string, CardStatus>();
  const issuer: CardIssuer = {
    name: "sandbox",
    supports: (currency) => currency !== "USD",
    async createCard({ cardId }) {
      if (self.mood === "down") throw new IssuerError("outage", "It is down");
      if (self.mood === "refusing") throw new IssuerError("refused", "It refuses");
      if (!cards.has(cardId)) cards.set(cardId, "ACTIVE");
      if (self.mood === "mute") throw new IssuerError("outage", "Its answer was lost");
      if (self.mood === "deadly") await new Promise(() => {});
      return { reference: `ref-${cardId}`, lastFour: "1234", expiryMonth: 12, expiryYear: 2030, ...secrets };
    },
    async setStatus(_reference, status, { cardId }) {
      if (self.mood === "down") throw new IssuerError("outage", "It is down");
      if (cards.get(cardId) === "CLOSED" && status !== "CLOSED")
        throw new IssuerError("refused", "A closed card stays closed");
      cards.set(cardId, status);
    },
    webhooks: {
      verify: () => ({ outcome: "refused", reason: "signature" }),
      isRequest: () => false,
      read: () => [],
      answer: () => ({ status: 200, headers: {}, body: "" }),
    },
  };
  const issuers: Issuers = { configured: ["sandbox"], preferred: "sandbox", at: async () => issuer };
  const self: FlakyIssuer = { mood: "well", issuers, cards };
  return self;
}
