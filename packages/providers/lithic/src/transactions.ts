import { repeatMs } from "@purser/cards";
import type { CardMessage } from "@purser/cards/ports";
import { z } from "zod";
import { parseLithicPayload } from "./errors.ts";
import {
  LithicMerchant,
  Money,
  PointOfSale,
  Time,
  Token,
  decidedStatuses,
  lithicAuthorization,
  requestIdWithoutEventToken,
} from "./requests.ts";

/** The event type that reports a change of a purchase. */
export const lithicUpdateType = "card_transaction.updated";

const TransactionEvent = z.object({
  token: Token,
  type: z.string(),
  result: z.string(),
  detailed_results: z.array(z.string()).nullish(),
  effective_polarity: z.string().nullish(),
  amounts: z.object({ cardholder: Money }),
  created: Time,
});
type TransactionEvent = z.infer<typeof TransactionEvent>;

const Transaction = z.object({
  token: Token,
  card_token: Token,
  created: Time,
  status: z.string(),
  amounts: z.object({ hold: Money.nullish() }),
  merchant: LithicMerchant,
  pos: PointOfSale.nullish(),
  /** The earliest first; Lithic sends them in any order. */
  events: z
    .array(TransactionEvent)
    .transform((events) => events.toSorted((one, other) => one.created.getTime() - other.created.getTime())),
});
type Transaction = z.infer<typeof Transaction>;

/** The state of a transaction before one of its events. */
interface TransactionState {
  /** The authorization, or what was cleared without one, so that its refund finds it. Null before. */
  authorization: string | null;
  /** The total of all approved amounts. */
  approved: number;
  /** What is held of them. */
  held: number;
  /** Whether the authorization took the money at once, without a clearing. */
  isFinancial: boolean;
}

/** Results of a decline after a request to us: no response in time, an unreadable one, or one without a decision. */
const ownDeclines = new Set(["CUSTOMER_ASA_TIMEOUT", "CUSTOM_ASA_RESULT", "MALFORMED_ASA_RESPONSE"]);

/** Results of a decline for the card itself, before a request to us. Our own decline may have the first one too. */
const cardDeclines = new Set(["CARD_PAUSED", "CARD_CLOSED", "CARD_EXPIRED"]);

/**
 * Reads all messages of a transaction, the earliest first, after the advice on declined requests. Lithic sends all events
 * of a transaction with each update, so the next update repairs a lost one.
 */
export function readLithicTransaction(update: unknown): CardMessage[] {
  const transaction = parseLithicPayload(lithicUpdateType, Transaction, update);
  const standIn = findStandIn(transaction);
  const events = transaction.events.filter((event) => isEffective(transaction, event, standIn));
  const state: TransactionState = { authorization: null, approved: 0, held: 0, isFinancial: false };
  const messages = events.flatMap((event, index) =>
    eventMessages(transaction, event, events.slice(index + 1), state),
  );
  return [...declineMessages(transaction, standIn), ...messages];
}

/**
 * Finds the event that says that the network declined in Lithic's place what we approved, because the approval reached it
 * too late. "No further messages are expected" after it (https://docs.lithic.com/docs/transaction-flow).
 */
function findStandIn({ status, events }: Transaction): TransactionEvent | undefined {
  if (status !== "DECLINED") return undefined;
  return events.find(({ type, result }) => standInTypes.has(type) && result !== "APPROVED");
}

const standInTypes = new Set(["AUTHORIZATION_ADVICE", "CLEARING"]);

/** Whether an event moves money or a hold: with an approval, or as a clearing, which only the network can decline. */
function isEffective(
  { status }: Transaction,
  { type, result }: TransactionEvent,
  standIn: TransactionEvent | undefined,
): boolean {
  if (standIn !== undefined && decidedStatuses.includes(type)) return false;
  return result === "APPROVED" || (type === "CLEARING" && status !== "DECLINED");
}

/** Reports each declined request: declined without a request to us, by our response, for lack of one, or after our approval. */
function declineMessages(transaction: Transaction, standIn: TransactionEvent | undefined): CardMessage[] {
  const requests = transaction.events.filter(({ type }) => decidedStatuses.includes(type));
  const approvals = requests.filter(({ result }) => result === "APPROVED");
  const approved = standIn === undefined ? approvals : [];
  const declines = requests.flatMap((event): CardMessage[] => {
    if (approved.includes(event)) return [];
    const { networkId, card, at, ...request } = requestOf(transaction, event);
    // If we declined in time, our record of the decision holds the reason.
    const hasOneOf = (results: ReadonlySet<string>) =>
      event.detailed_results?.some((result) => results.has(result)) ?? false;
    const isTimeout = hasOneOf(ownDeclines) || approvals.includes(event);
    const issuerReason = hasOneOf(cardDeclines) ? "card_not_usable" : "issuer_declined";
    const reason = isTimeout ? "decision_timed_out" : issuerReason;
    const { token, created } = transaction;
    const isAmbiguous = approved.some(
      (other) => absoluteAmount(other) === request.amount && isNear(other, event),
    );
    const otherIds = [
      // Requests without an event token of their own. Both times are "when the transaction first occurred" (SDK).
      ...(isAmbiguous ? [] : [requestIdWithoutEventToken(token, created, request.amount)]),
      // Requests from before requests had ids of their own.
      ...(approved.length > 0 ? [] : [token]),
    ];
    return [
      { kind: "advice", networkId, otherIds, card, at, request, decision: { approved: false, reason } },
    ];
  });
  if (standIn === undefined || approvals.length === 0) return declines;
  return [...declines, giveBackMessage(transaction, standIn)];
}

/** Gives back what an earlier update has held or taken. Without such an update the advice on the requests left nothing. */
function giveBackMessage(
  { token: authorization, card_token: card, merchant }: Transaction,
  { type, token: networkId, created: at }: TransactionEvent,
): CardMessage {
  const all = { networkId, card, at, authorization, amount: null };
  return type === "CLEARING"
    ? { ...all, kind: "refund", undoesAuthorization: true, merchant }
    : { ...all, kind: "reversal" };
}

/** The request that led to an event. The transaction was created at its first one, which may be of another purchase. */
function requestOf({ card_token, ...purchase }: Transaction, event: TransactionEvent) {
  const { currency } = event.amounts.cardholder;
  const amount = absoluteAmount(event);
  const purchased = { amount, currency };
  return lithicAuthorization({
    ...purchase,
    created: event.created,
    networkId: event.token,
    card: card_token,
    amount,
    purchase: purchased,
    cash: 0,
  });
}

/** The sign differs by event type, and in Lithic's own examples. The type alone says what happened. */
const absoluteAmount = ({ amounts }: Pick<TransactionEvent, "amounts">) =>
  Math.abs(amounts.cardholder.amount);

/** Whether two equal requests may be one that was repeated. */
const isNear = (one: TransactionEvent, other: TransactionEvent) =>
  Math.abs(one.created.getTime() - other.created.getTime()) <= repeatMs;

/** A clearing may also give money back. */
const isRefund = ({ type, effective_polarity: polarity }: TransactionEvent) =>
  type === "CLEARING" && polarity === "CREDIT";

/** The messages of one event, which also moves `state` on. `later` are the events after it. */
function eventMessages(
  transaction: Transaction,
  event: TransactionEvent,
  later: readonly TransactionEvent[],
  state: TransactionState,
): CardMessage[] {
  const { token, card_token: card, status, amounts, merchant } = transaction;
  const { authorization } = state;
  const amount = absoluteAmount(event);
  const isLast = !later.some((other) => other.type === event.type && !isRefund(other));
  const isVoid = isLast && status === "VOIDED";
  const about = { networkId: event.token, card, at: event.created };
  const release = ({ approved }: TransactionState) => ({ ...about, approvedBefore: approved });
  const refund: CardMessage = { ...about, kind: "refund", authorization, amount, merchant };
  const clearingWithoutHold: CardMessage = {
    ...about,
    kind: "clearing",
    authorization: token,
    amount,
    final: true,
    merchant,
  };

  switch (event.type) {
    // Usually decided in a request. Without one, it must still be held.
    case "AUTHORIZATION":
      state.authorization = token;
      state.held += amount;
      return [approvalMessage(transaction, event, state, amount)];
    case "FINANCIAL_AUTHORIZATION":
      Object.assign(state, { authorization: token, isFinancial: true });
      return [clearingWithoutHold];
    // "An authorization advice changes the pending amount of the transaction" (SDK, `simulateAuthorizationAdvice`). The
    // first one of a transaction reports what the network approved in our place.
    case "AUTHORIZATION_ADVICE": {
      const added = amount - state.held;
      Object.assign(state, { authorization: token, held: amount });
      const isApproval = added > 0 || authorization === null;
      const approvals = isApproval ? [approvalMessage(transaction, event, state, added)] : [];
      if (!later.some(({ type }) => type === "AUTHORIZATION")) {
        // What we hold is what the request held, which may be more than its event says, as for fuel.
        return [...approvals, { ...release(state), kind: "adjustment", authorization: token, held: amount }];
      }
      // We may already hold what the later authorization requested, so only the difference is known.
      if (added >= 0) return approvals;
      return [{ ...release(state), kind: "reversal", authorization: token, amount: -added }];
    }
    case "AUTHORIZATION_REVERSAL":
      if (authorization === null) return [];
      if (state.isFinancial) return [{ ...refund, undoesAuthorization: true }];
      state.held = Math.max(0, state.held - amount);
      // The hold may exceed the authorized amount; the last reversal releases all of it.
      return [{ ...release(state), kind: "reversal", authorization, amount: isVoid ? null : amount }];
    case "AUTHORIZATION_EXPIRY":
      state.held = 0;
      return authorization === null ? [] : [{ ...release(state), kind: "expiry", authorization }];
    case "CLEARING": {
      if (isRefund(event)) return [refund];
      state.authorization = token;
      if (state.approved === 0 && !state.isFinancial)
        return [{ ...clearingWithoutHold, isUnrequested: true }];
      state.held = Math.max(0, state.held - amount);
      // While a hold remains, another clearing can follow.
      const final = isLast && (amounts.hold?.amount ?? 0) === 0;
      return [{ ...release(state), kind: "clearing", authorization, amount, final, merchant }];
    }
    case "RETURN":
    case "CORRECTION_CREDIT":
    case "FINANCIAL_CREDIT_AUTHORIZATION":
      return [refund];
    // It takes a refund back. No refund restores a limit, so this counts no second time.
    case "RETURN_REVERSAL":
      return [{ ...refund, amount: -amount }];
    case "CORRECTION_DEBIT":
      return [{ ...clearingWithoutHold, authorization, isCorrection: true }];
    // Credits that are only announced, and balance inquiries.
    default:
      return [];
  }
}

/** Reports an approved amount, so that it is held even if its request never reached us. */
function approvalMessage(
  transaction: Transaction,
  event: TransactionEvent,
  state: TransactionState,
  amount: number,
): CardMessage {
  state.approved += amount;
  const { networkId, card, at, ...request } = requestOf(transaction, event);
  return { kind: "approval", networkId, card, at, request, approved: state.approved };
}
