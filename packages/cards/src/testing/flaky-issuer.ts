import {
  type CardDisplay,
  type CardIssuer,
  type CardStatus,
  type Cardholder,
  type CardholderDetailName,
  type IssuerCardRenewal,
  type IssuerCardStatus,
  IssuerError,
  type Issuers,
} from "../ports.ts";

/** How the next calls fail. */
export type IssuerFailure =
  | "none"
  /** No effect. */
  | "outage"
  /** The call has its effect, but the response is lost. */
  | "lost response"
  /** The call has its effect and never returns, as if the caller died. */
  | "hang"
  | "refusal"
  | "details required";

export interface FlakyIssuer {
  failure: IssuerFailure;
  issuers: Issuers;
  /** The cards at the issuer with their status there, by our ids. */
  cards: Map<string, CardStatus>;
  /** The holders that the issuer knows after a reassignment, by our ids of the cards. */
  holders: Map<string, string>;
  /** Whether the issuer binds a card to one person. */
  bindsCards: boolean;
  /** Whether the issuer can show the number of a card. */
  displaysCards: boolean;
  /** The earlier card that each request named, by our ids of the cards. */
  earlierCards: Map<string, string | undefined>;
  /** The person that the issuer knows of each card, by its reference. */
  people: Map<string, Cardholder>;
  /** The details without which it issues no card. */
  required: CardholderDetailName[];
  /** Runs after the card is made and before the response. */
  whileCreating: () => Promise<void>;
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
    get display() {
      return self.displaysCards ? display : null;
    },
    name: "sandbox",
    supports: (currency) => currency !== "USD",
    missingDetails: (details) => self.required.filter((name) => details[name] === undefined),
    async updateCardholder(reference, { cardholder }) {
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      self.people.set(reference, cardholder);
    },
    async createCard({ cardId, cardholder, earlierCard }) {
      self.earlierCards.set(cardId, earlierCard);
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      if (self.failure === "refusal") throw new IssuerError("refused", "The issuer refuses the request");
      if (self.failure === "details required")
        throw new IssuerError("details_required", "The issuer asks for more", { missing: ["dateOfBirth"] });
      if (!cards.has(cardId)) cards.set(cardId, "ACTIVE");
      self.people.set(`ref-${cardId}`, cardholder);
      await self.whileCreating();
      if (self.failure === "lost response") throw new IssuerError("outage", "The response was lost");
      if (self.failure === "hang") await new Promise(() => {});
      return { reference: `ref-${cardId}`, lastFour: "1234", expiryMonth: 12, expiryYear: 2030, ...secrets };
    },
    async setStatus(_reference, status, { cardId }) {
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      if (cards.get(cardId) === "CLOSED" && status !== "CLOSED")
        throw new IssuerError("refused", "A closed card stays closed");
      cards.set(cardId, status);
      if (self.failure === "lost response") throw new IssuerError("outage", "The response was lost");
    },
    webhooks: {
      verify: () => ({ outcome: "refused", reason: "signature" }),
      isRequest: () => false,
      readRequest: () => null,
      read: () => [],
      readStatus: ({ type, body }) =>
        type === "card.updated" ? (JSON.parse(body) as IssuerCardStatus) : null,
      readRenewal: ({ type, body }) =>
        type === "card.renewed" ? (JSON.parse(body) as IssuerCardRenewal) : null,
      formatResponse: () => ({ status: 200, headers: {}, body: "" }),
    },
  };
  const display: CardDisplay = {
    component: { kind: "lithic-embeds", origin: "https://issuer.example" },
    async grant({ reference }, { origin, nonce }) {
      if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
      return { kind: "lithic-embeds", session: `${reference} for ${origin}, ${nonce}` };
    },
  };
  async function setCardholder(
    ...[_reference, cardholderId, { cardId }]: Parameters<NonNullable<CardIssuer["setCardholder"]>>
  ): Promise<void> {
    if (self.failure === "outage") throw new IssuerError("outage", "The issuer is down");
    holders.set(cardId, cardholderId);
    if (self.failure === "lost response") throw new IssuerError("outage", "The response was lost");
  }
  const issuers: Issuers = { configured: ["sandbox"], at: async () => issuer };
  const self: FlakyIssuer = {
    failure: "none",
    issuers,
    cards,
    holders,
    bindsCards: false,
    displaysCards: true,
    earlierCards: new Map(),
    people: new Map(),
    required: [],
    whileCreating: async () => undefined,
  };
  return self;
}
