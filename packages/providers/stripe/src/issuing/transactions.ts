import { z } from "zod";
import type { CardMessage } from "@purser/cards/ports";
import { adviceMessages } from "./advice.ts";
import { readable } from "./errors.ts";
import { Authorization, Id, MerchantData, Reference, Time } from "./mapping.ts";

/** The types of the events that tell of what has become of a purchase. */
export const creationType = "issuing_authorization.created";
export const updateType = "issuing_authorization.updated";
export const transactionType = "issuing_transaction.created";

const Transaction = z.object({
  id: Id,
  type: z.string(),
  amount: z.int(),
  authorization: Reference.nullish(),
  card: Reference,
  created: Time,
  merchant_data: MerchantData,
});

const Update = z.object({
  id: Id,
  created: Time,
  data: z.object({
    object: Authorization.extend({ transactions: z.array(Transaction) }),
    // Only what has changed is in it, as it was.
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
const TransactionCreation = z.object({ data: z.object({ object: Transaction }) });

/** How an authorization was decided, if not as we have answered. Throws where it cannot be read. */
export function creationMessages(event: unknown): CardMessage[] {
  return adviceMessages(readable(creationType, AuthorizationCreation, event).data.object);
}

/**
 * What an authorization has become, and before that how it was decided, if not as we have answered. Updates come in
 * any order: what is told is how it changed, so that several have one result, whichever is first.
 */
export function updateMessages(update: unknown): CardMessage[] {
  const event = readable(updateType, Update, update);
  return [...adviceMessages(event.data.object), ...changeMessages(event)];
}

function changeMessages(event: z.infer<typeof Update>): CardMessage[] {
  const { object, previous_attributes: previous = {} } = event.data;
  const { id: authorization, card, amount, approved, status } = object;
  if (!approved) return [];
  const about = { networkId: event.id, card, at: event.created, authorization };
  if (previous.status !== undefined && previous.status !== status) {
    if (status === "reversed") return [{ ...about, kind: "reversal", amount: null }];
    if (status === "expired") return [{ ...about, kind: "expiry" }];
    if (status === "closed") return closingMessages(object, about);
  }
  const isCaptured = previous.transactions !== undefined;
  // What an authorization grows by, was asked for before.
  if (isCaptured || previous.amount === undefined || previous.amount <= amount) return [];
  return [{ ...about, kind: "reversal", amount: previous.amount - amount }];
}

type ClosedAuthorization = z.infer<typeof Update>["data"]["object"];

/**
 * A capture does not say whether it is the last one: that the authorization is closed does. It names its captures,
 * whose own events may be late: they are told first, so that none comes after the end.
 */
function closingMessages(
  { transactions, merchant_data: merchant }: ClosedAuthorization,
  about: { networkId: string; card: string; at: Date; authorization: string },
): CardMessage[] {
  const told = transactions.flatMap((transaction) =>
    messagesOf({ ...transaction, authorization: about.authorization }),
  );
  if (!told.some(({ kind }) => kind === "clearing")) {
    return [...told, { ...about, kind: "reversal", amount: null }];
  }
  return [...told, { ...about, kind: "clearing", amount: 0, final: true, merchant }];
}

function messagesOf(transaction: z.infer<typeof Transaction>): CardMessage[] {
  const { id: networkId, type, card, created: at, merchant_data: merchant } = transaction;
  const authorization = transaction.authorization ?? null;
  // A capture is negative, since it leaves the balance, and a refund positive.
  const about = { networkId, card, at, authorization, amount: Math.abs(transaction.amount), merchant };
  if (type === "capture") return [{ ...about, kind: "clearing", final: authorization === null }];
  return type === "refund" ? [{ ...about, kind: "refund" }] : [];
}

/** What a capture or a refund says. Throws where it cannot be read. */
export function transactionMessages(event: unknown): CardMessage[] {
  return messagesOf(readable(transactionType, TransactionCreation, event).data.object);
}
