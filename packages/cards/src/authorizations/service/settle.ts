import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { retryTransaction } from "@purser/platform";
import type { CardMessage, IssuerName, Merchant } from "../../ports.ts";
import { type Effect, type Refused, clear, refundable, reverse } from "../rules/settle.ts";
import { windowsAt } from "../rules/windows.ts";
import type { EventRow, TransactionRow } from "../store/decide.ts";
import {
  count,
  findAuthorized,
  findByMessage,
  insertEventRow,
  insertTransactionRow,
  lockReferencedCard,
  readTimeZone,
  updateTransactionRow,
} from "../store/settle.ts";

/** What the network tells after a purchase, and asks nothing of us. */
export type SettlementMessage = Extract<CardMessage, { kind: "reversal" | "expiry" | "clearing" | "refund" }>;

type Parts = Pick<Platform, "db" | "clock">;

/**
 * Keeps what the network tells of a purchase: the event, the transaction as it makes it, and what counts more or less
 * against the card's limits. The same message again changes nothing. Throws CARD_NOT_FOUND, and, for what cannot be
 * true of the transaction, TRANSACTION_FINAL, AMOUNT_EXCEEDS_HOLD, AMOUNT_EXCEEDS_CLEARED, TRANSACTION_NOT_SETTLED.
 */
export async function settle(
  { db, clock }: Parts,
  issuer: IssuerName,
  message: SettlementMessage,
  { isAsked = false } = {},
): Promise<TransactionRow> {
  return retryTransaction(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      if (card === undefined) throw new Problem("CARD_NOT_FOUND");
      const first = await findByMessage(transaction, card, message.networkId);
      if (first !== undefined) return first.transaction;
      const authorized =
        message.authorization === null
          ? undefined
          : await findAuthorized(transaction, card, message.authorization);
      return steps[message.kind]({
        transaction,
        card,
        authorized,
        message: message as never,
        isAsked,
        now: clock.now(),
      });
    }),
  );
}

interface Step<Kind extends SettlementMessage["kind"]> {
  transaction: Transaction;
  card: { organizationId: string; id: string; currency: string };
  /** The purchase that the network names, where it is known. */
  authorized: TransactionRow | undefined;
  message: Extract<SettlementMessage, { kind: Kind }>;
  /** Whether the network waits for the answer, so that it can be refused; otherwise it has happened already. */
  isAsked: boolean;
  now: Date;
}

const steps: { [Kind in SettlementMessage["kind"]]: (step: Step<Kind>) => Promise<TransactionRow> } = {
  reversal: (step) => change(step, (row) => reverse(row, step.message.amount, step.now)),
  expiry: (step) => change(step, (row) => reverse(row, null, step.now, "authorization_expired")),
  clearing: (step) =>
    step.authorized?.status === "PENDING" || (step.authorized && step.isAsked)
      ? change(step, (row) => clear(row, step.message.amount, step.message.final, step.now))
      : forcePost(step),
  refund,
};

/** Changes the purchase that the message is about. */
async function change(
  {
    transaction,
    card,
    authorized,
    message,
    now,
  }: Omit<Step<"reversal">, "message"> & { message: SettlementMessage },
  decide: (row: TransactionRow) => Effect | Refused,
): Promise<TransactionRow> {
  if (authorized === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const effect = decide(authorized);
  if ("refused" in effect) throw new Problem(effect.refused);
  await updateTransactionRow(transaction, authorized, effect.after);
  await count(transaction, card, windowsAt(new Date(authorized.localDay), "UTC"), effect.counted);
  const row = { ...authorized, ...effect.after };
  await insertEventRow(transaction, eventOf(row, message, effect, now));
  return row;
}

/** A merchant takes money without a hold, or after it has ended: it always lands, and counts like any other. */
async function forcePost({ transaction, card, authorized, message, now }: Step<"clearing">) {
  const amount = message.amount ?? authorized?.amount ?? 0;
  const windows = windowsAt(message.at, await readTimeZone(transaction, card.organizationId));
  const row = {
    ...newRow(card, message, authorized, now),
    amount,
    cleared: amount,
    localDay: windows.day,
    authorizationReference: authorized === undefined ? message.authorization : null,
  };
  await insertTransactionRow(transaction, row);
  await count(transaction, card, windows, amount);
  await insertEventRow(transaction, eventOf(row, message, { amount, counted: amount }, now));
  return row;
}

/** Money back is a transaction of its own, with a negative amount; the limit stays as it was used up. */
async function refund({ transaction, card, authorized, message, now }: Step<"refund">) {
  const given = authorized === undefined ? message.amount : refundable(authorized, message.amount);
  if (given === null) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  if (typeof given === "object") throw new Problem(given.refused);
  const timeZone = await readTimeZone(transaction, card.organizationId);
  const { day: localDay } = windowsAt(message.at, timeZone);
  const row = { ...newRow(card, message, authorized, now), amount: -given, localDay };
  await insertTransactionRow(transaction, row);
  await insertEventRow(transaction, eventOf(row, message, { amount: given, counted: 0 }, now));
  if (authorized) {
    await updateTransactionRow(transaction, authorized, { refunded: authorized.refunded + given });
  }
  return row;
}

/** A transaction that is complete as it comes. */
function newRow(
  { organizationId, id: cardId, currency }: Step<"refund">["card"],
  { at, merchant }: { at: Date; merchant: Merchant | null },
  from: TransactionRow | undefined,
  now: Date,
): Omit<TransactionRow, "amount" | "localDay"> {
  return {
    organizationId,
    id: newId("ctx", now),
    cardId,
    authorizationReference: null,
    status: "COMPLETED",
    currency,
    merchantName: merchant?.name ?? from?.merchantName ?? "Unknown merchant",
    merchantId: merchant?.id ?? from?.merchantId ?? null,
    merchantCategory: merchant?.category ?? from?.merchantCategory ?? null,
    merchantCountry: merchant?.country ?? from?.merchantCountry ?? null,
    channel: from?.channel ?? "online",
    description: from?.description ?? null,
    declineReason: null,
    authorized: 0,
    held: 0,
    cleared: 0,
    refunded: 0,
    purchasedAt: at,
    createdAt: now,
    settledAt: now,
    expiresAt: null,
  };
}

const kinds = { reversal: "REVERSAL", expiry: "EXPIRY", clearing: "CLEARING", refund: "REFUND" } as const;

/** The event of a message that has made the transaction what it is. */
function eventOf(
  { organizationId, cardId, id: transactionId, status }: TransactionRow,
  { kind, networkId }: SettlementMessage,
  { amount, counted }: Pick<Effect, "amount" | "counted">,
  now: Date,
): EventRow {
  return {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    networkId,
    amount,
    counted,
    kind: kinds[kind],
    final: kind === "clearing" ? status === "COMPLETED" : null,
    decision: null,
    createdAt: now,
  };
}
