import type { CardMessage } from "../../ports.ts";
import { authorizationOf, requestedTypes } from "./requests.ts";
import type { Transaction } from "./transactions.ts";

/** What Lithic declines with where it has asked: no answer in time, one that cannot be read, or our own refusal. */
const answers = new Set(["CUSTOMER_ASA_TIMEOUT", "CUSTOM_ASA_RESULT", "MALFORMED_ASA_RESPONSE"]);

/**
 * That an authorization was declined, by whomever: before we were asked, by our answer or for want of one, or after
 * our approval. While anything that was asked for in a transaction is approved, so is its authorization.
 */
export function adviceMessages(transaction: Transaction): CardMessage[] {
  const requests = transaction.events.filter(({ type }) => requestedTypes.includes(type));
  const [first] = requests;
  if (first === undefined || requests.some(({ result }) => result === "APPROVED")) return [];
  const { card_token, ...purchase } = transaction;
  const { amount: signed, currency } = first.amounts.cardholder;
  const amount = Math.abs(signed);
  const cardholder = { amount, currency };
  const asked = { ...purchase, card: card_token, amount, cardholder, cash: 0 };
  const { networkId, card, at, ...request } = authorizationOf(asked);
  // Where our refusal was made, it is on record with its reason.
  const isAnswer = first.detailed_results?.some((result) => answers.has(result));
  const reason = isAnswer ? "decision_timed_out" : "issuer_declined";
  return [{ kind: "advice", networkId, card, at, request, verdict: { approved: false, reason } }];
}
