import {
  ProviderError,
  type ProviderErrorOptions,
  type cardChannels,
  type cardIssuerNames,
  type cardStatuses,
} from "@purser/core";
import type { WebhookResponse, WebhookReceiver } from "@purser/platform/inbox";
import type {
  BlockedCardholder,
  Cardholder,
  CardholderDetailName,
  CardholderDetails,
} from "./cardholder/ports.ts";
import type { CardDisplay } from "./reveal/ports.ts";
export type * from "./cardholder/ports.ts";
export type * from "./reveal/ports.ts";

// The port to card issuers and, through them, card networks. Policies, decisions and the ledger know no issuer by name.

/** The supported issuers. */
export type IssuerName = (typeof cardIssuerNames)[number];

export type CardStatus = (typeof cardStatuses)[number];

/** How a card is used in a purchase. An unclear use counts as online, where merchants verify the least. */
export type Channel = (typeof cardChannels)[number];

/** A merchant, as the network describes it: `id` is the network's. */
export interface CardMerchant {
  name: string;
  id: string | null;
  /** A merchant category code (MCC) of four digits. */
  category: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | null;
}

/** A request to issue a card. */
export interface CardRequest {
  /** Our id of the card. Repeated requests with the same id make one card. */
  cardId: string;
  organizationId: string;
  /** ISO 4217, upper case. */
  currency: string;
  /** The name of the card at the issuer. */
  memo: string;
  cardholder: Cardholder;
  /** The issuer's id of an earlier card that was issued to this person in this organization; absent if there is none. */
  earlierCard?: string | undefined;
  /** Whether the card is requested only to be closed. Then the issuer's record of a known person stays as it is. */
  isAbandoned?: boolean;
}

/** An issued card. Adapters discard the full number and the CVV. */
export interface IssuedCard {
  /** The issuer's id of the card. */
  reference: string;
  lastFour: string;
  /** 1 to 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
}

/**
 * A network's request to hold money, answered by a {@link AuthorizationResponse}. Amounts are in minor units of the card's
 * currency.
 */
export type HoldRequest = {
  /** Whether the merchant accepts an approval of less than it requests. No by default. */
  acceptsPartialApproval?: boolean | undefined;
  /**
   * Tells apart different requests under one `networkId`: the same for a repeat, another for another request, which then
   * has this as its id. Absent if the network gives no two requests the same id.
   */
  exactId?: string | undefined;
  /**
   * When the request reached us, if its network gives it no id: its `networkId` is then made of its content. An equal request
   * is a repeat only within `repeatMs` of the first, and later another request. Absent if the network names its requests.
   */
  receivedAt?: Date | undefined;
} & (
  | {
      kind: "authorization";
      /** The id by which later messages refer to the authorization. */
      authorization: string;
      amount: number;
      currency: string;
      merchant: CardMerchant;
      channel: Channel;
      description: string | null;
      /** When the hold ends unless it is cleared; null for the usual seven days. */
      expiresAt: Date | null;
    }
  | { kind: "increment"; authorization: string; /** The additional amount. */ amount: number }
);

/** The network's own decision, where it differs from our answer. It overrides ours. */
export type NetworkDecision =
  | { approved: true; reason: null }
  /**
   * We did not answer in time or readably, or the issuer declined before or after us: by the status or the expiry of the card
   * (`card_not_usable`), which it may have from us, or for a reason of its own.
   */
  | { approved: false; reason: "decision_timed_out" | "card_not_usable" | "issuer_declined" };

/** A message that releases a hold. It may arrive after the approval of another request of the authorization. */
interface Release {
  /**
   * The total that the network had approved under the authorization when it released the hold. What is approved later stays
   * held. Absent if no authorization is approved after its hold was released.
   */
  approvedBefore?: number | undefined;
}

/** A message of the network about a card. Amounts are in minor units of the card's currency. */
export type CardMessage = {
  /**
   * The network's id of this message. The same id twice has one effect. An advice has the id of its request, and a
   * clearing may have it too: then a single message asks for the money and takes it.
   */
  networkId: string;
  /** The issuer's id of the card. */
  card: string;
  /** The instant of the purchase, according to the network. */
  at: Date;
} & (
  | HoldRequest
  | {
      kind: "advice";
      /** The decided request, whether it reached us or not. */
      request: HoldRequest;
      decision: NetworkDecision;
      /** Other ids under which the request may have reached us at about that time. */
      otherIds?: readonly string[];
    }
  | {
      /** Reports approved requests of an authorization, so that those that never reached us are held too. */
      kind: "approval";
      request: Extract<HoldRequest, { kind: "authorization" }>;
      /** The total that the network has approved under the authorization, with this request. */
      approved: number;
    }
  | ({
      kind: "reversal";
      authorization: string;
      /** Null for the whole hold. */
      amount: number | null;
    } & Release)
  | ({
      /** Reports what an authorization still holds. Releases what we hold beyond it. */
      kind: "adjustment";
      authorization: string;
      held: number;
    } & Release)
  | ({ kind: "expiry"; authorization: string } & Release)
  | ({
      kind: "clearing";
      /** Null for a clearing without an authorization. */
      authorization: string | null;
      /** Null for the whole hold; 0 if the message only ends the clearings. */
      amount: number | null;
      /** Whether no other clearing follows. A repeated message may be the first to say so. */
      final: boolean;
      /** Whether it corrects a purchase: it takes more money and leaves the hold as it is. No by default. */
      isCorrection?: boolean;
      /** Whether no request came before it: another request under its name is another purchase. No by default. */
      isUnrequested?: boolean;
      merchant: CardMerchant | null;
    } & Release)
  | {
      kind: "refund";
      /** The refunded purchase; null if unknown. */
      authorization: string | null;
      /** Null for everything that is cleared and not refunded yet; negative for a refund that is taken back. */
      amount: number | null;
      /**
       * Whether it undoes an authorization that took the money at once, as a withdrawal that the machine did not pay out. It
       * then gives the limit back, as a reversal does. No by default.
       */
      undoesAuthorization?: boolean;
      merchant: CardMerchant | null;
    }
  | {
      /** A dispute gives the money of a clearing back, or takes it again. Both may happen several times. */
      kind: "dispute";
      direction: "credit" | "debit";
      /** The disputed purchase, and the network's id of its disputed clearing; null if unknown. */
      authorization: string | null;
      clearing: string | null;
      amount: number;
      currency: string;
      merchant: CardMerchant | null;
    }
);

/** The messages of these kinds. */
export type CardMessageOf<Kind extends CardMessage["kind"]> = Extract<CardMessage, { kind: Kind }>;

/** A message that asks for a decision. */
export type RequestMessage = CardMessageOf<"authorization" | "increment">;

/** A request in an unexpected form. It is declined and reported to the operator. */
export interface UnreadableRequest {
  kind: "unreadable";
  /** The paths and codes of the issues, without values: the request holds personal data. */
  issues: string;
}

/** Our response to an authorization or increment. */
export interface AuthorizationResponse {
  approved: boolean;
  /** The decline reason, or the problem code of a refusal in lower case; null without one. */
  reason: string | null;
  /** The approved amount, if it is less than requested. Only for a request that accepts a partial approval. */
  partialAmount?: number;
}

/** The status of a card at its issuer. */
export interface IssuerCardStatus {
  /** The issuer's id of the card. */
  card: string;
  /** `closed` is final. */
  status: "open" | "suspended" | "closed";
}

/** The expiry of a card that its issuer has renewed. The card keeps its number. */
export interface IssuerCardRenewal extends Pick<IssuedCard, "expiryMonth" | "expiryYear"> {
  /** The issuer's id of the card. */
  card: string;
}

/** A verified webhook event of an issuer. */
export interface IssuerEvent {
  type: string;
  body: string;
}

/** How an issuer's webhooks are verified, read, and answered where the issuer waits for a decision. */
export interface IssuerWebhooks {
  /** Checks signature and time on the raw bytes, with a tolerance of five minutes. See `WebhookReceiver.verify`. */
  verify: WebhookReceiver["verify"];
  /** Whether an event of this type is a request: the issuer waits for our decision in the HTTP response. */
  isRequest(type: string): boolean;
  /** Reads the message of a verified request. Null for a credit to the cardholder: it is approved without a decision. */
  readRequest(event: IssuerEvent & { receivedAt: Date }): CardMessage | UnreadableRequest | null;
  /**
   * Reads from a request for an increment how the issuer decided the requests before it, where it did not apply our decisions.
   * Absent for an issuer whose requests do not say it.
   */
  readEarlier?(event: IssuerEvent): CardMessageOf<"advice">[];
  /**
   * Reads the messages of any other verified event, in the order in which they happened. Empty for an irrelevant event.
   * Events may repeat messages, with the same `networkId`. Throws for an invalid event about money, and if the
   * request for what an event lacks fails, so that the event is retried and reported.
   */
  read(event: IssuerEvent): CardMessage[] | Promise<CardMessage[]>;
  /** Reads the status of a card from any other verified event; null if the event is about something else. */
  readStatus(event: IssuerEvent): IssuerCardStatus | null;
  /** Reads the renewal of a card, likewise. Absent for an issuer that renews none. */
  readRenewal?(event: IssuerEvent): IssuerCardRenewal | null;
  /** Reads that the issuer has blocked a cardholder, likewise. Absent for an issuer that reports none. */
  readBlockedCardholder?(event: IssuerEvent): BlockedCardholder | null;
  /** Writes the response that the issuer expects to its request. */
  formatResponse(event: IssuerEvent, response: AuthorizationResponse): WebhookResponse;
}

/** Identifies a change of a card: `version` grows with each. */
interface CardRevision {
  cardId: string;
  version: number;
}

/**
 * An adapter to one card issuer. A method that calls it stops after a time limit of its own, and throws {@link IssuerError}.
 *
 * @example
 * const { reference } = await issuer.createCard({ cardId, organizationId, currency: "USD", memo, cardholder });
 */
export interface CardIssuer {
  readonly name: IssuerName;
  /** Null if the issuer is not set up for it. */
  readonly display: CardDisplay | null;
  /** Whether this issuer issues cards in this currency. */
  supports(currency: string): boolean;
  /** The details that this issuer requires before it issues a card, and that these do not have. Makes no request. */
  missingDetails(details: CardholderDetails): CardholderDetailName[];
  /**
   * Sends the current details of a card's holder, if the issuer has a record of the person. The same ones twice have one
   * effect.
   */
  updateCardholder(
    reference: string,
    holder: { organizationId: string; cardholder: Cardholder },
  ): Promise<void>;
  /**
   * Issues a card, once per `cardId`, to a person with the given details: an issuer that knows the person from an earlier
   * card gets them too. Throws {@link IssuerError}.
   */
  createCard(request: CardRequest): Promise<IssuedCard>;
  /**
   * Sets the status of a card at the issuer; CLOSED is final there too. Every call takes effect, a repeated one too: a late
   * request for an earlier status may have come in between.
   */
  setStatus(reference: string, status: CardStatus, change: CardRevision): Promise<void>;
  /**
   * Names the member who holds a card now, as after a reassignment. `cardId` and `version` identify the change, as for
   * {@link setStatus}. Null if the issuer binds a card to one person for good; then Purser refuses to reassign it.
   */
  readonly setCardholder:
    | ((reference: string, cardholderId: string, change: CardRevision) => Promise<void>)
    | null;
  readonly webhooks: IssuerWebhooks;
}

/** The configured issuers. */
export interface Issuers {
  /** Loads the adapter of an issuer on its first use. Throws PROVIDER_NOT_CONFIGURED. */
  at(issuer: IssuerName): Promise<CardIssuer>;
  /** In the order of preference for new cards. */
  readonly configured: readonly IssuerName[];
}

/** The kinds of issuer errors. */
export type IssuerErrorKind =
  /** No response or a server error. The effect is unknown; a retry is safe. */
  | "outage"
  | "rate_limited"
  /** The issuer refuses the request; a retry is useless. */
  | "refused"
  /** The issuer requires more details of the cardholder: `missing`. A retry is useless before they are provided. */
  | "details_required"
  /** The issuer has no such card, or has closed it. */
  | "card_not_found";

/** A failure at an issuer. The message is for operators; callers see the problem of its kind. */
export class IssuerError extends ProviderError<IssuerErrorKind> {
  override readonly name = "IssuerError";
  readonly missing: readonly CardholderDetailName[];

  constructor(
    kind: IssuerErrorKind,
    message: string,
    options: ProviderErrorOptions & { missing?: readonly CardholderDetailName[] } = {},
  ) {
    super(kind, message, options);
    this.missing = options.missing ?? [];
  }
}
