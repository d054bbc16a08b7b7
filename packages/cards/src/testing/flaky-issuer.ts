import { type CardIssuer, type CardStatus, IssuerError, type Issuers } from "../ports.ts";

/** What an issuer that keeps its cards does when it is asked for another one. */
export type FailureMode =
  | "well"
  /** It fails without having done anything. */
  | "down"
  /** It does what it was asked, and its answer is lost. */
  | "mute"
  /** It does what it was asked, and whoever asked dies meanwhile. */
  | "deadly"
  | "refusing";

export interface UnrulyIssuer {
  mood: FailureMode;
  issuers: Issuers;
  /** The cards there, by our ids of them, each with the status that it has there. */
  cards: Map<string, CardStatus>;
}

/** Planted where an issuer might tell them: they are never to be found here. */
export const secrets = { number: "4929123412341234", cvv: "cvv-137-cvv" };

/** An issuer whose cards can be looked at, and that fails as it is told. */
export function flakyIssuer(): UnrulyIssuer {
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
  const self: UnrulyIssuer = { mood: "well", issuers, cards };
  return self;
}
