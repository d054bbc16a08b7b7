import type { cardIssuerNames } from "@purser/core";

/**
 * What Purser asks of a card issuer, and what card networks tell through it. Every adapter in `issuers/` implements
 * {@link CardIssuer}; policies, decisions and the ledger of card transactions know nothing of any of them.
 */

/** The issuers there are. */
export type IssuerName = (typeof cardIssuerNames)[number];

export type CardStatus = "ACTIVE" | "PAUSED" | "FROZEN" | "CLOSED";

/** How a card is used in a purchase. What cannot be told counts as online, where less is checked by anybody else. */
export type Channel = "in_store" | "online" | "atm";

export interface Merchant {
  name: string;
  /** The network's id of it. */
  id: string | null;
  /** A merchant category code of four digits. */
  category: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | null;
}

export interface CardRequest {
  /** Our id of the card: the issuer makes one card for it, however often it is asked. */
  cardId: string;
  organizationId: string;
  /** ISO 4217, upper case. */
  currency: string;
  /** What the card is called at the issuer. */
  memo: string;
  cardholder: { id: string; name: string; email: string };
}

/** A card as its issuer made it. The full number and the CVV never reach us. */
export interface IssuedCard {
  /** The issuer's id of it. */
  reference: string;
  lastFour: string;
  /** 1 to 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
}

/** What a network asks for and a {@link Verdict} answers: that money be held, in minor units of the card's currency. */
export type HoldRequest =
  | {
      kind: "authorization";
      /** What names the authorization in later messages. */
      authorization: string;
      amount: number;
      currency: string;
      merchant: Merchant;
      channel: Channel;
      description: string | null;
      /** When the hold ends where nothing clears it; null for the usual seven days. */
      expiresAt: Date | null;
    }
  | { kind: "increment"; authorization: string; /** The additional amount. */ amount: number };

/** What became of a request at the network, where that is not what we answered: it has the last word. */
export type AdvisedVerdict =
  | { approved: true; reason: null }
  /** There was no answer of ours in time, or none that could be read; or the issuer refused, before us or after. */
  | { approved: false; reason: "decision_timed_out" | "issuer_declined" };

/** Something that the network told about a card, in minor units of the card's currency. */
export type CardMessage = {
  /** The network's own id of this message: the same one twice has one effect. An advice has that of its request. */
  networkId: string;
  /** The issuer's id of the card. */
  card: string;
  /** The instant at which the purchase was made, as the network tells. */
  at: Date;
} & (
  | HoldRequest
  | {
      kind: "advice";
      /** The request that was decided on, whether it came here or not. */
      request: HoldRequest;
      verdict: AdvisedVerdict;
    }
  | { kind: "reversal"; authorization: string; /** Null for all of the hold. */ amount: number | null }
  | { kind: "expiry"; authorization: string }
  | {
      kind: "clearing";
      /** Null where nothing was authorized before. */
      authorization: string | null;
      /** Null for all of the hold; 0 where only the end of the clearings is told. */
      amount: number | null;
      /** Whether no other clearing follows. */
      final: boolean;
      merchant: Merchant | null;
    }
  | {
      kind: "refund";
      /** The transaction that it gives back; null where that is not known. */
      authorization: string | null;
      /** Null for all that was cleared and not refunded yet. */
      amount: number | null;
      merchant: Merchant | null;
    }
);

/** What the network is told of an authorization or an increment. */
export interface Verdict {
  approved: boolean;
  /** Our reason for a refusal, of the contract's list. */
  reason: string | null;
}

/** How an issuer's requests are answered: the raw HTTP answer that it expects. */
export interface IssuerAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type IssuerWebhookCheck =
  | { outcome: "verified"; eventId: string; type: string }
  | { outcome: "refused"; reason: "signature" | "time" | "malformed" };

export interface IssuerWebhooks {
  /** See `WebhookReceiver.verify`: on the raw bytes, within five minutes on both sides. */
  verify(body: Buffer, headers: Headers, now: Date): Promise<IssuerWebhookCheck> | IssuerWebhookCheck;
  /** Whether an event of this type waits for a verdict in the answer. */
  isRequest(type: string): boolean;
  /**
   * What a verified event says, in the order in which it happened; empty where it concerns nothing that is kept here,
   * and for a request that cannot be read, which is then to be refused. An event may say again what another one said:
   * its `networkId` is the same. Throws where an event about money cannot be read, so that it is not lost in silence.
   */
  read(event: { type: string; body: string }): CardMessage[];
  /** The answer to a request. */
  answer(event: { type: string; body: string }, verdict: Verdict): IssuerAnswer;
}

export interface CardIssuer {
  readonly name: IssuerName;
  /** Whether it can issue a card in this currency. */
  supports(currency: string): boolean;
  /** Makes a card, once for each `cardId`. Throws {@link IssuerError}. */
  createCard(request: CardRequest): Promise<IssuedCard>;
  /**
   * Brings a card at the issuer to this status; CLOSED is final there too. `version` grows with every change here,
   * so that with the card's id it names the change: the same one twice has one effect.
   */
  setStatus(
    reference: string,
    status: CardStatus,
    change: { cardId: string; version: number },
  ): Promise<void>;
  readonly webhooks: IssuerWebhooks;
}

/** The issuers within reach. */
export interface Issuers {
  /** The adapter of an issuer, loaded when it is first asked for. Throws PROVIDER_NOT_CONFIGURED. */
  at(issuer: IssuerName): Promise<CardIssuer>;
  /** The issuers that are configured here. */
  readonly configured: readonly IssuerName[];
  /** Who issues new cards. */
  readonly preferred: IssuerName;
}

/** What can go wrong at an issuer, whoever it is. */
export type IssuerErrorKind =
  /** It does not answer, or with a fault of its own. Whether it acted is not known; asking again is safe. */
  | "outage"
  | "rate_limited"
  /** It refuses for good: the request itself cannot be met. */
  | "refused"
  /** It has no such card, or the card is closed there. */
  | "card_not_found";

/** An issuer's refusal or failure. The message is for operators; callers see the problem that its kind stands for. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
  readonly kind: IssuerErrorKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: IssuerErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
