import { type CardIssuer, type CardStatus, IssuerError, type Issuers } from "../ports.ts";

/** How the next calls fail. */
export type IssuerFailure =
  | "none"
  /** No effect. */
  | "outage"
  /** The call has its effect, but the response is lost. */
  | "lost response"
  /** The call has its effect and never returns, as if the caller died. */
  | "hang"
  | "refusal";

export interface FlakyIssuer {
  failure: IssuerFailure;
  issuers: Issuers;
  /** The cards at the issuer with their status there, by our ids. */
  cards: Map<string, CardStatus>;
  /** The holders that the issuer knows after a reassignment, by our ids of the cards. */
  holders: Map<string, string>;
  /** Whether the issuer binds a card to one person. */
  bindsCards: boolean;
}

/** Planted in the issuer's responses. They must never be stored. */
export const secrets = { number: "4929123412341234", cvv: "cvv-137-cvv" };

/** An issuer with visible cards that fails on demand. */
export function flakyIssuer(): FlakyIssuer {
  const cards = new Map<string, CardStatus>();
  const holders = new Map<string, string>();
  const issuer: CardIssuer = {
    get setCardholder() {
      return self.bindsCards ? null : setCardholder;
    },
    name: "sandbox",
    supports: (currency) => currency !== "USD",
    async createCard({ cardId }) {
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      if (self.failure === "refusal") throw new IssuerError("refused", "The issuer refuses the request");
      if (!cards.has(cardId)) cards.set(cardId, "ACTIVE");
      if (self.failure === "lost response") throw new IssuerError("outage", "The response was lost");
      if (self.failure === "hang") await new Promise(() => {});
      return { reference: `ref-${cardId}`, lastFour: "1234", expiryMonth: 12, expiryYear: 2030, ...secrets };
    },
    async setStatus(_reference, status, { cardId }) {
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      if (cards.get(cardId) === "CLOSED" && status !== "CLOSED")
        throw new IssuerError("refused", "A closed card stays closed");
      cards.set(cardId, status);
    },
    webhooks: {
      verify: () => ({ outcome: "refused", reason: "signature" }),
      isRequest: () => false,
      readRequest: () => null,
      read: () => [],
      answer: () => ({ status: 200, headers: {}, body: "" }),
    },
  };
  async function setCardholder(
    ...[_reference, cardholderId, { cardId }]: Parameters<NonNullable<CardIssuer["setCardholder"]>>
  ): Promise<void> {
    if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
    holders.set(cardId, cardholderId);
  }
  const issuers: Issuers = { configured: ["sandbox"], at: async () => issuer };
  const self: FlakyIssuer = { failure: "none", issuers, cards, holders, bindsCards: false };
  return self;
}
