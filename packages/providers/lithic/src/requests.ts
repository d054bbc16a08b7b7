import { type DeclineReason, extendedHoldEndsAt, merchantOf } from "@purser/cards";
import type {
  AuthorizationResponse,
  CardMessage,
  CardMessageOf,
  Channel,
  UnreadableRequest,
} from "@purser/cards/ports";
import { describeIssues } from "@purser/platform/providers";
import { z } from "zod";
import { alpha2Of } from "./countries.ts";

/** The event type of Auth Stream Access requests. Lithic waits for our decision in the HTTP response. */
export const lithicRequestType = "card_authorization.approval_request";

export const Token = z.string().min(1).max(255);
export const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const Money = z.object({ amount: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) });

export const LithicMerchant = z
  .object({
    descriptor: z.string().nullish(),
    acceptor_id: z.string().nullish(),
    mcc: z.string().nullish(),
    country: z.string().nullish(),
  })
  .transform(({ descriptor: name, acceptor_id: id, mcc: category, country }) =>
    merchantOf({ name, id, category, country: alpha2Of(country) }),
  );

export const PointOfSale = z.object({
  entry_mode: z.object({ card: z.string().nullish(), pan: z.string().nullish() }).nullish(),
  terminal: z
    .object({ type: z.string().nullish(), partial_approval_capable: z.boolean().nullish() })
    .nullish(),
});

/** Requests that need a decision: for money, or for a balance. */
export const decidedStatuses = ["AUTHORIZATION", "FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"];
/** Requests for credits to the cardholder. */
const creditStatuses = new Set(["CREDIT_AUTHORIZATION", "FINANCIAL_CREDIT_AUTHORIZATION"]);

/** What a request for a credit has too. */
const LithicRequest = z.object({
  /** Identifies the group of an authorization and its increments. */
  token: Token,
  /** Identifies the request. Lithic sets it "for programs enrolled into the beta" (SDK, `CardAuthorization.event_token`). */
  event_token: Token.nullish(),
  card: z.object({ token: Token }),
  /** Any, so that a request with a new one is declined and reported as unreadable. */
  status: z.string(),
});

const Authorization = LithicRequest.extend({
  status: z.enum(decidedStatuses),
  created: Time,
  amounts: z.object({ cardholder: Money, hold: Money.nullish() }),
  cash_amount: z.int().nullish(),
  merchant: LithicMerchant,
  pos: PointOfSale.nullish(),
});

/**
 * Reads the requested authorization. Returns null for a credit to the cardholder. A request does not say whether it adds
 * to an earlier one: if its token is known, it does.
 */
export function readLithicRequest(
  request: unknown,
  receivedAt: Date,
): CardMessageOf<"authorization"> | UnreadableRequest | null {
  if (creditStatuses.has(LithicRequest.safeParse(request).data?.status ?? "")) return null;
  const { data, error } = Authorization.safeParse(request);
  if (data === undefined) return { kind: "unreadable", issues: describeIssues(error) };
  const { amounts, cash_amount: cash } = data;
  const { hold } = amounts;
  // The status says that the money leaves the card. The sign does not: in Lithic's example the hold is negative.
  const purchase = { ...amounts.cardholder, amount: Math.abs(amounts.cardholder.amount) };
  // The hold may exceed the purchase, for fuel or a tip. It may also be less, by a rule of the program, but the merchant may
  // clear all of the purchase. A hold in another currency than the card's is unusable here.
  const held = hold?.currency === purchase.currency ? Math.abs(hold.amount) : 0;
  const amount = Math.max(held, purchase.amount);
  const { token, event_token: eventToken, created, card } = data;
  const exactId = requestIdWithoutEventToken(token, created, purchase.amount);
  const message = lithicAuthorization({
    ...data,
    networkId: eventToken ?? exactId,
    ...(eventToken ? { exactId } : { receivedAt }),
    card: card.token,
    amount,
    purchase,
    cash: Math.abs(cash ?? 0),
  });
  // Lithic approves "a portion of the goods amount", and declines a part if the terminal cannot take it
  // (https://docs.lithic.com/docs/partial-approval). A hold that exceeds the purchase has no part to approve.
  const isCapable = data.pos?.terminal?.partial_approval_capable === true;
  if (!isCapable || (cash ?? 0) !== 0 || amount !== purchase.amount) return message;
  return { ...message, acceptsPartialApproval: true };
}

/**
 * Lithic sends a request again after a failed response, at once. A repetition has the same token, time and amount. So may a
 * later request of the transaction, whose time is that of the first.
 */
export function requestIdWithoutEventToken(token: string, created: Date, cardholderAmount: number): string {
  return `${token}:${created.toISOString()}:${cardholderAmount}`;
}

interface AuthorizationInput extends Pick<
  z.infer<typeof Authorization>,
  "token" | "created" | "merchant" | "pos"
> {
  networkId: string;
  exactId?: string | undefined;
  receivedAt?: Date | undefined;
  /** The card's token. */
  card: string;
  /** The amount to hold. */
  amount: number;
  /** The amount of the purchase. */
  purchase: z.infer<typeof Money>;
  /** The part of the purchase that is cash. */
  cash: number;
}

export function lithicAuthorization(input: AuthorizationInput) {
  const { networkId, exactId, receivedAt, token, card, created, amount, purchase, cash, merchant, pos } =
    input;
  return {
    kind: "authorization",
    networkId,
    ...(exactId !== undefined && { exactId }),
    ...(receivedAt !== undefined && { receivedAt }),
    card,
    at: created,
    authorization: token,
    amount,
    currency: purchase.currency,
    merchant,
    channel: lithicChannel({ pos, category: merchant.category, cash, amount: purchase.amount }),
    description: null,
    expiresAt: extendedHoldEndsAt(merchant, created),
  } as const satisfies CardMessage;
}

interface ChannelSignals {
  pos: z.infer<typeof PointOfSale> | null | undefined;
  category: string | null;
  /** The part of the amount that is cash. */
  cash: number;
  amount: number;
}

/** Entry modes in which the merchant has not read the card. */
const remoteEntry = new Set([
  "CREDENTIAL_ON_FILE",
  "ECOMMERCE",
  "ERROR_KEYED",
  "KEY_ENTERED",
  "MANUAL",
  "SECURE_CARDLESS",
]);
const cardRead = new Set(["CONTACTLESS", "ERROR_MAGNETIC_STRIPE", "ICC", "MAGNETIC_STRIPE"]);

/** How the card is used. An unclear use counts as online. */
export function lithicChannel({ pos, category, cash, amount }: ChannelSignals): Channel {
  const terminal = pos?.terminal?.type;
  const { card, pan } = pos?.entry_mode ?? {};
  // If only a part is cash, a shop gives cash back. 6011 is cash from a machine.
  if (terminal === "ATM" || category === "6011" || (cash > 0 && cash >= amount)) return "atm";
  if (card === "NOT_PRESENT" || terminal === "ECOMMERCE" || remoteEntry.has(pan ?? "")) return "online";
  return card === "PRESENT" || cardRead.has(pan ?? "") ? "in_store" : "online";
}

/** The response to a request. */
export function lithicResponse(
  request: unknown,
  { approved, reason, partialAmount: approved_amount }: AuthorizationResponse,
) {
  const token = lithicTokenOf(request);
  const result = approved ? "APPROVED" : lithicResult(reason);
  // "Setting this implies a partial approval" (API description, `asa-response.approved_amount`).
  return { result, token, ...(approved_amount !== undefined && { approved_amount }) };
}

/** The token of a request, whether the rest of it can be read or not. */
export const lithicTokenOf = (request: unknown) => Named.safeParse(request).data?.token;

const Named = z.object({ token: Token });

/** Lithic has fewer results than we have reasons. */
const results: Readonly<Record<DeclineReason, string>> = {
  card_closed: "CARD_PAUSED",
  card_frozen: "CARD_PAUSED",
  card_paused: "CARD_PAUSED",
  card_expired: "CARD_PAUSED",
  currency_not_supported: "UNAUTHORIZED_MERCHANT",
  policy_not_started: "CARD_PAUSED",
  policy_expired: "CARD_PAUSED",
  day_not_allowed: "CARD_PAUSED",
  atm_not_allowed: "UNAUTHORIZED_MERCHANT",
  online_not_allowed: "UNAUTHORIZED_MERCHANT",
  international_not_allowed: "UNAUTHORIZED_MERCHANT",
  merchant_category_not_allowed: "UNAUTHORIZED_MERCHANT",
  merchant_category_blocked: "UNAUTHORIZED_MERCHANT",
  merchant_blocked: "UNAUTHORIZED_MERCHANT",
  merchant_not_allowed: "UNAUTHORIZED_MERCHANT",
  transaction_limit_exceeded: "INSUFFICIENT_FUNDS",
  daily_limit_exceeded: "VELOCITY_EXCEEDED",
  weekly_limit_exceeded: "VELOCITY_EXCEEDED",
  monthly_limit_exceeded: "VELOCITY_EXCEEDED",
  yearly_limit_exceeded: "VELOCITY_EXCEEDED",
  all_time_limit_exceeded: "VELOCITY_EXCEEDED",
};

/**
 * The result that declines for a reason. Without a decision, such as after a timeout, it is one that Lithic does not know:
 * Lithic then declines, and reports `CUSTOM_ASA_RESULT`, which tells this decline from its own.
 */
export function lithicResult(reason: string | null): string {
  return Object.hasOwn(results, reason ?? "") ? results[reason as DeclineReason] : "UNDECIDED";
}
