import type { CardMessage } from "@purser/cards/ports";
import { z } from "zod";
import { readable } from "./errors.ts";
import {
  LithicMerchant,
  Money,
  PointOfSale,
  Time,
  Token,
  decidedStatuses,
  lithicAuthorization,
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
  /** The authorization, if there was a request for one. */
  authorization: string | null;
  held: number;
  /** Whether the authorization took the money at once, without a clearing. */
  isFinancial: boolean;
}

/** Events that move money with any result, because they cannot be declined. All others need an approval. */
const landing = new Set(["CLEARING", "RETURN", "RETURN_REVERSAL", "CORRECTION_CREDIT", "CORRECTION_DEBIT"]);

/** Results of a decline after a request to us: no response in time, an unreadable one, or our decline. */
const ownDeclines = new Set(["CUSTOMER_ASA_TIMEOUT", "CUSTOM_ASA_RESULT", "MALFORMED_ASA_RESPONSE"]);

/**
 * Reads all messages of a transaction, the earliest first, after the advice on its authorization. Lithic sends all
 * events of a transaction with each update, so the next update repairs a lost one.
 */
export function readLithicTransaction(update: unknown): CardMessage[] {
  const transaction = readable(lithicUpdateType, Transaction, update);
  const events = transaction.events.filter(({ type, result }) => landing.has(type) || result === "APPROVED");
  const state: TransactionState = { authorization: null, held: 0, isFinancial: false };
  const messages = events.flatMap((event, index) => {
    const isLast = !events.slice(index + 1).some(({ type }) => type === event.type);
    return eventMessages(transaction, event, isLast, state);
  });
  return [...adviceMessages(transaction), ...messages];
}

/**
 * Reports a declined authorization: declined without a request to us, by our response, for lack of one, or after our
 * approval. If any authorization of a transaction is approved, there is no decline to report.
 */
function adviceMessages(transaction: Transaction): CardMessage[] {
  const requests = transaction.events.filter(({ type }) => decidedStatuses.includes(type));
  const [first] = requests;
  if (first === undefined || requests.some(({ result }) => result === "APPROVED")) return [];
  const { card_token, ...purchase } = transaction;
  const { amount: signed, currency } = first.amounts.cardholder;
  const amount = Math.abs(signed);
  const cardholder = { amount, currency };
  const input = { ...purchase, card: card_token, amount, cardholder, cash: 0 };
  const { networkId, card, at, ...request } = lithicAuthorization(input);
  // If we declined in time, our record of the decision holds the reason.
  const isOwnDecline = first.detailed_results?.some((result) => ownDeclines.has(result));
  const reason = isOwnDecline ? "decision_timed_out" : "issuer_declined";
  return [{ kind: "advice", networkId, card, at, request, verdict: { approved: false, reason } }];
}

/** The messages of one event, which also moves `state` on. `isLast` says that no event of its type follows. */
function eventMessages(
  { token, card_token: card, status, amounts, merchant }: Transaction,
  event: TransactionEvent,
  isLast: boolean,
  state: TransactionState,
): CardMessage[] {
  const { authorization } = state;
  // The sign differs by event type, and the type alone says what happened.
  const amount = Math.abs(event.amounts.cardholder.amount);
  const about = { networkId: event.token, card, at: event.created };
  const refund: CardMessage = { ...about, kind: "refund", authorization, amount, merchant };
  const clearingWithoutHold: CardMessage = {
    ...about,
    kind: "clearing",
    authorization: null,
    amount,
    final: true,
    merchant,
  };

  switch (event.type) {
    // Already decided in the request.
    case "AUTHORIZATION":
      state.authorization = token;
      state.held += amount;
      return [];
    case "FINANCIAL_AUTHORIZATION":
      Object.assign(state, { authorization: token, isFinancial: true });
      return [{ ...clearingWithoutHold, authorization: token }];
    case "AUTHORIZATION_ADVICE": {
      // The new amount of the hold. Anything above the authorized amount counts when it clears.
      const released = state.held - amount;
      state.held = amount;
      return authorization === null || released <= 0
        ? []
        : [{ ...about, kind: "reversal", authorization, amount: released }];
    }
    case "AUTHORIZATION_REVERSAL":
      if (authorization === null) return [];
      if (state.isFinancial) return [refund];
      state.held -= amount;
      // The hold may exceed the authorized amount; the last reversal releases all of it.
      return [
        { ...about, kind: "reversal", authorization, amount: isLast && status === "VOIDED" ? null : amount },
      ];
    case "AUTHORIZATION_EXPIRY":
      return authorization === null ? [] : [{ ...about, kind: "expiry", authorization }];
    case "CLEARING": {
      if (event.effective_polarity === "CREDIT") return [refund];
      if (authorization === null) return [clearingWithoutHold];
      state.held -= amount;
      // While a hold remains, another clearing can follow.
      const final = isLast && (amounts.hold?.amount ?? 0) === 0;
      return [{ ...about, kind: "clearing", authorization, amount, final, merchant }];
    }
    case "RETURN":
    case "CORRECTION_CREDIT":
    case "FINANCIAL_CREDIT_AUTHORIZATION":
      return [refund];
    case "RETURN_REVERSAL":
    case "CORRECTION_DEBIT":
      return [clearingWithoutHold];
    // Credits that are only announced, and balance inquiries.
    default:
      return [];
  }
}
