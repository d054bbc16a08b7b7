import { z } from "zod";
import type { CardMessage } from "@purser/cards/ports";
import { readable } from "./errors.ts";
import { Merchant, Money, PointOfSale, Time, Token } from "./mapping.ts";
import { authorizationOf, requestedTypes } from "./requests.ts";

/** The type of the event that tells of what has become of a purchase. */
export const updateType = "card_transaction.updated";

const Event = z.object({
  token: Token,
  type: z.string(),
  result: z.string(),
  detailed_results: z.array(z.string()).nullish(),
  effective_polarity: z.string().nullish(),
  amounts: z.object({ cardholder: Money }),
  created: Time,
});
type Event = z.infer<typeof Event>;

const Transaction = z.object({
  token: Token,
  card_token: Token,
  created: Time,
  status: z.string(),
  amounts: z.object({ hold: Money.nullish() }),
  merchant: Merchant,
  pos: PointOfSale.nullish(),
  /** The earliest first, in whatever order they are told. */
  events: z
    .array(Event)
    .transform((events) => events.toSorted((one, other) => one.created.getTime() - other.created.getTime())),
});
type Transaction = z.infer<typeof Transaction>;

/** Where a transaction stands when one of its events is read. */
interface Standing {
  /** The purchase that it is about, if it was asked for. */
  authorization: string | null;
  /** What is held after the events so far. */
  held: number;
  /** Whether it took the money at once, without a clearing. */
  isFinancial: boolean;
}

/** What moves money, whatever its result is called: nobody can refuse it. All else must have been approved. */
const landing = new Set(["CLEARING", "RETURN", "RETURN_REVERSAL", "CORRECTION_CREDIT", "CORRECTION_DEBIT"]);

/** Results of a decline after a request to us: we did not answer in time, or not readably, or declined. */
const ownDeclines = new Set(["CUSTOMER_ASA_TIMEOUT", "CUSTOM_ASA_RESULT", "MALFORMED_ASA_RESPONSE"]);

/**
 * All that a transaction's events say, the earliest first, a decision that is not ours before them. Lithic sends the
 * transaction with all of its events each time, so that an update that was lost is made good by the next one.
 */
export function transactionMessages(update: unknown): CardMessage[] {
  const transaction = readable(updateType, Transaction, update);
  const events = transaction.events.filter(({ type, result }) => landing.has(type) || result === "APPROVED");
  const standing: Standing = { authorization: null, held: 0, isFinancial: false };
  const messages = events.flatMap((event, index) => {
    const isLast = !events.slice(index + 1).some(({ type }) => type === event.type);
    return eventMessages(transaction, event, isLast, standing);
  });
  return [...adviceMessages(transaction), ...messages];
}

/**
 * Reports a declined authorization: declined without a request to us, by our answer, for lack of an answer, or after
 * our approval. If any request of a transaction is approved, so is its authorization.
 */
function adviceMessages(transaction: Transaction): CardMessage[] {
  const requests = transaction.events.filter(({ type }) => requestedTypes.includes(type));
  const [first] = requests;
  if (first === undefined || requests.some(({ result }) => result === "APPROVED")) return [];
  const { card_token, ...purchase } = transaction;
  const { amount: signed, currency } = first.amounts.cardholder;
  const amount = Math.abs(signed);
  const cardholder = { amount, currency };
  const asked = { ...purchase, card: card_token, amount, cardholder, cash: 0 };
  const { networkId, card, at, ...request } = authorizationOf(asked);
  // If we declined in time, our record of the decision holds the reason.
  const isAnswer = first.detailed_results?.some((result) => ownDeclines.has(result));
  const reason = isAnswer ? "decision_timed_out" : "issuer_declined";
  return [{ kind: "advice", networkId, card, at, request, verdict: { approved: false, reason } }];
}

/** What one event says, `isLast` of its type. It moves the standing on. */
function eventMessages(
  { token, card_token: card, status, amounts, merchant }: Transaction,
  event: Event,
  isLast: boolean,
  standing: Standing,
): CardMessage[] {
  const { authorization } = standing;
  // Signs differ by the type of the event; the type says what it is.
  const amount = Math.abs(event.amounts.cardholder.amount);
  const about = { networkId: event.token, card, at: event.created };
  const refund: CardMessage = { ...about, kind: "refund", authorization, amount, merchant };
  const unheld: CardMessage = {
    ...about,
    kind: "clearing",
    authorization: null,
    amount,
    final: true,
    merchant,
  };

  switch (event.type) {
    // Asked for in a request, and decided then.
    case "AUTHORIZATION":
      standing.authorization = token;
      standing.held += amount;
      return [];
    case "FINANCIAL_AUTHORIZATION":
      Object.assign(standing, { authorization: token, isFinancial: true });
      return [{ ...unheld, authorization: token }];
    case "AUTHORIZATION_ADVICE": {
      // It says what is held from now on. What is more than was asked for counts when it clears.
      const given = standing.held - amount;
      standing.held = amount;
      return authorization === null || given <= 0
        ? []
        : [{ ...about, kind: "reversal", authorization, amount: given }];
    }
    case "AUTHORIZATION_REVERSAL":
      if (authorization === null) return [];
      if (standing.isFinancial) return [refund];
      standing.held -= amount;
      // More may be held than was asked for: the last reversal gives that back too.
      return [
        { ...about, kind: "reversal", authorization, amount: isLast && status === "VOIDED" ? null : amount },
      ];
    case "AUTHORIZATION_EXPIRY":
      return authorization === null ? [] : [{ ...about, kind: "expiry", authorization }];
    case "CLEARING": {
      if (event.effective_polarity === "CREDIT") return [refund];
      if (authorization === null) return [unheld];
      standing.held -= amount;
      // Another one is to be expected while something is held.
      const final = isLast && (amounts.hold?.amount ?? 0) === 0;
      return [{ ...about, kind: "clearing", authorization, amount, final, merchant }];
    }
    case "RETURN":
    case "CORRECTION_CREDIT":
    case "FINANCIAL_CREDIT_AUTHORIZATION":
      return [refund];
    case "RETURN_REVERSAL":
    case "CORRECTION_DEBIT":
      return [unheld];
    // Credits that are only announced, and questions about the balance.
    default:
      return [];
  }
}
