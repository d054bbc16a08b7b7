/** What the page that shows a card's number needs of an issuer before it asks for a card. None of it is secret. */
export type CardComponent =
  /** Stripe.js: the page makes a nonce for the card, and shows the number in elements that Stripe serves. */
  | { kind: "stripe-elements"; publishableKey: string }
  /** Lithic's embeds: a frame for each detail. `origin` is the only one that a frame may load. */
  | { kind: "lithic-embeds"; origin: string }
  /** Our own page shows a test number. Only for an issuer without real cards. */
  | { kind: "test-number" };

/** A grant for one browser to get the number of one card from its issuer. It expires by itself; never store or log it. */
export type CardGrant =
  | { kind: "stripe-elements"; ephemeralKeySecret: string }
  | { kind: "lithic-embeds"; session: string }
  | { kind: "test-number"; number: string; cvc: string };

/** The page that shows the number. */
export interface RevealPage {
  origin: string;
  /** What the component made in the browser; null if it makes none. */
  nonce: string | null;
}

/** How an issuer shows the number of a card to its holder. Number and CVC travel from the issuer to the browser alone. */
export interface CardDisplay {
  readonly component: CardComponent;
  /** Throws `IssuerError`. */
  grant(card: { reference: string; lastFour: string }, page: RevealPage): Promise<CardGrant>;
}
