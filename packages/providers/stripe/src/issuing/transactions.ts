import type { CardMessage, CardMessageOf, IssuerEvent, NetworkDecision } from "@purser/cards/ports";
import { parseWebhookBody } from "@purser/platform/providers";
import { z } from "zod";
import { Reference, StripeId, Timestamp } from "../client.ts";
import { issuingErrors } from "./errors.ts";
import { Authorization, MerchantData, requestMessage } from "./requests.ts";

const { parsePayload } = issuingErrors;

const creationType = "issuing_authorization.created";
const updateType = "issuing_authorization.updated";
const transactionType = "issuing_transaction.created";

/**
 * Reads the messages of an event about a purchase. Throws if it is invalid: it is about money, and must not be lost
 * without a trace.
 */
export function readStripeEvent({ type, body }: IssuerEvent): CardMessage[] {
  const event = parseWebhookBody(body);
  switch (type) {
    case creationType:
      return creationMessages(event);
    case updateType:
      return updateMessages(event);
    case transactionType:
      return transactionMessages(event);
    default:
      return [];
  }
}

/** Reads how the requests before a pending one were decided: its authorization has their history. */
export const readEarlierStripeRequests = ({ body }: IssuerEvent) => creationMessages(parseWebhookBody(body));

export const StripeTransaction = z
  .object({
    id: StripeId,
    type: z.string(),
    /** Negative if it reduces the balance: a capture, or a refund that is taken back. */
    amount: z.int(),
    /** The card's. */
    currency: z.string(),
    authorization: Reference.nullish(),
    card: Reference,
    created: Timestamp,
    merchant_data: MerchantData,
  })
  .refine(({ type, amount }) => type !== "capture" || amount <= 0, { path: ["amount"] });

const Update = z.object({
  id: StripeId,
  created: Timestamp,
  data: z.object({
    object: Authorization.extend({ transactions: z.array(StripeTransaction) }),
    // Holds only the changed attributes, with their values before the change.
    previous_attributes: z
      .object({
        amount: z.int().optional(),
        status: z.string().optional(),
        transactions: z.unknown().optional(),
      })
      .optional(),
  }),
});

const AuthorizationCreation = z.object({ data: z.object({ object: Authorization }) });
const TransactionCreation = z.object({ data: z.object({ object: StripeTransaction }) });

/** Reports how a new authorization was decided, unless Stripe applied our decision. */
function creationMessages(event: unknown): CardMessageOf<"advice">[] {
  return adviceMessages(parsePayload(creationType, AuthorizationCreation, event).data.object);
}

/**
 * Reports how an authorization was decided, unless Stripe applied our decision, and how it changed. Updates arrive in
 * any order. Messages carry the difference and not the new state, so every order has the same result.
 */
function updateMessages(update: unknown): CardMessage[] {
  const event = parsePayload(updateType, Update, update);
  return [...adviceMessages(event.data.object), ...changeMessages(event)];
}

/** Reports a capture or a refund. */
function transactionMessages(event: unknown): CardMessage[] {
  return messagesOf(parsePayload(transactionType, TransactionCreation, event).data.object);
}

type DecidedRequest = Authorization["request_history"][number];

/**
 * Reports every request of an authorization except those that are approved as we decided.
 *
 * Stripe decides without us if our response is late (by the account's timeout setting) or invalid. The network decides
 * if it cannot reach Stripe. Stripe may also decline before it sends a request, or after our approval.
 */
function adviceMessages(object: Authorization): CardMessageOf<"advice">[] {
  return object.request_history.flatMap((decided, position, history): CardMessageOf<"advice">[] => {
    const standsAsApproved = decided.approved && decided.reason === "webhook_approved";
    // A negative amount is a credit to the card.
    if (standsAsApproved || decided.amount < 0) return [];
    const earlier = history.slice(0, position);
    const { networkId, card, at, ...request } = requestMessage(object, {
      ...decided,
      at: decided.created,
      earlier,
    });
    return [{ kind: "advice", networkId, card, at, request, decision: decisionOf(decided) }];
  });
}

/** The reasons with which Stripe declines after it sent us a request: our decision, an invalid one, or none. */
const webhookReasons: ReadonlySet<string> = new Set(["webhook_declined", "webhook_error", "webhook_timeout"]);

/** The reasons of the card itself, with which Stripe declines before it sends us a request. */
const cardReasons: ReadonlySet<string> = new Set(["card_canceled", "card_expired", "card_inactive"]);

function decisionOf({ approved, reason }: DecidedRequest): NetworkDecision {
  if (approved) return { approved, reason: null };
  // If we declined in time, the ledger already holds the request with our own reason, which wins.
  if (webhookReasons.has(reason)) return { approved, reason: "decision_timed_out" };
  return { approved, reason: cardReasons.has(reason) ? "card_not_usable" : "issuer_declined" };
}

function changeMessages(event: z.infer<typeof Update>): CardMessage[] {
  const { object, previous_attributes: previous = {} } = event.data;
  const { id: authorization, card, amount, approved, status } = object;
  if (!approved) return [];
  const transactions = object.transactions.flatMap((one) => messagesOf({ ...one, authorization }));
  // A credit to the card holds nothing that could change.
  if (object.request_history.every((decided) => !decided.approved || decided.amount < 0)) return transactions;
  const common = { networkId: event.id, card, at: event.created, authorization };
  if (previous.status !== undefined && previous.status !== status) {
    // The events of the transactions may arrive later. Reporting them first keeps each before the end of the hold.
    if (status === "reversed") return [...transactions, { ...common, kind: "reversal", amount: null }];
    if (status === "expired") return [...transactions, { ...common, kind: "expiry" }];
    if (status === "closed") return [...transactions, closingMessage(object, transactions, common)];
  }
  const isCaptured = previous.transactions !== undefined;
  // A growing amount is an increment, which was requested before.
  if (isCaptured || previous.amount === undefined || previous.amount <= amount) return [];
  return [{ ...common, kind: "reversal", amount: previous.amount - amount }];
}

/** A capture does not say whether it is the last one; the closed authorization does. */
function closingMessage(
  { merchant_data: merchant }: Authorization,
  transactions: readonly CardMessage[],
  common: { networkId: string; card: string; at: Date; authorization: string },
): CardMessage {
  return transactions.some(({ kind }) => kind === "clearing")
    ? { ...common, kind: "clearing", amount: 0, final: true, merchant }
    : { ...common, kind: "reversal", amount: null };
}

function messagesOf(transaction: z.infer<typeof StripeTransaction>): CardMessage[] {
  const { id: networkId, type, card, created: at, amount, merchant_data: merchant } = transaction;
  const authorization = transaction.authorization ?? null;
  const common = { networkId, card, at, authorization, merchant };
  if (type === "capture")
    return [{ ...common, kind: "clearing", amount: Math.abs(amount), final: authorization === null }];
  return type === "refund" ? [{ ...common, kind: "refund", amount }] : [];
}
