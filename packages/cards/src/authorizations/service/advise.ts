import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { retryTransaction } from "@purser/platform";
import type { CardMessage, HoldRequest, IssuerName } from "../../ports.ts";
import { advisedDecision } from "../rules/decide.ts";
import { windowsAt } from "../rules/windows.ts";
import type { TransactionRow } from "../store/decide.ts";
import {
  type StoredMessage,
  adviceOf,
  count,
  findAuthorized,
  findByMessage,
  insertEventRow,
  insertTransactionRow,
  lockReferencedCard,
  readTimeZone,
  updateTransactionRow,
} from "../store/settle.ts";
import { transactionOf } from "./transaction.ts";
import { reverseApproval } from "./reverse-late-approval.ts";

type AdviceMessage = Extract<CardMessage, { kind: "advice" }>;
type Authorization = Extract<HoldRequest, { kind: "authorization" }>;
type Increment = Extract<HoldRequest, { kind: "increment" }>;

/**
 * Keeps what became of a request at the network, which has the last word: an approval of ours that it did not carry
 * out is taken back, and what it approved by itself is held, whatever the limits say, since the money can be taken.
 * It may be told before our own decision is on record, or after; the same again changes nothing. Gives false where
 * there is nothing to change any more. Throws CARD_NOT_FOUND.
 */
export async function advise(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: AdviceMessage,
): Promise<boolean> {
  return retryTransaction(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      if (card === undefined) throw new Problem("CARD_NOT_FOUND");
      const told = await findByMessage(transaction, card, message.networkId);
      if (told?.advised) return false;
      const step = { transaction, card, message, now: clock.now() };
      const outcome = told?.withdrawn ? "declined" : told?.event.decision?.["outcome"];
      const { verdict } = message;
      if (told !== undefined && outcome === "approved") {
        return verdict.approved
          ? confirm(step, told)
          : reverseApproval(transaction, told, verdict.reason, step.now);
      }
      if (told !== undefined && (outcome !== "declined" || !verdict.approved)) return false;
      return record(step);
    }),
  );
}

interface Step {
  transaction: Transaction;
  /** Locked. */
  card: { organizationId: string; id: string };
  message: AdviceMessage;
  now: Date;
}

/** Our approval stands. That is on record from now on, so that it is not withdrawn for having come too late. */
async function confirm(step: Step, { transaction: row }: StoredMessage): Promise<boolean> {
  if (row.status !== "PENDING") return false;
  await recordEvent(step, row, { kind: "INCREMENT", amount: 0, counted: 0 });
  return true;
}

/** Puts on record what was decided without us. */
async function record(step: Step): Promise<boolean> {
  const { request } = step.message;
  const named = await findAuthorized(step.transaction, step.card, request.authorization);
  return request.kind === "authorization"
    ? recordAuthorization(step, request, named)
    : recordIncrement(step, request, named);
}

async function recordAuthorization(
  step: Step,
  request: Authorization,
  named: TransactionRow | undefined,
): Promise<boolean> {
  const { transaction, card, message, now } = step;
  const { approved } = message.verdict;
  if (named !== undefined) {
    // It is held, or has been taken already.
    if (!approved || named.status !== "DECLINED") return false;
    // What was refused stays as it is. What comes from now on is about the one that the network has approved.
    await updateTransactionRow(transaction, named, { authorizationReference: null });
  }
  const windows = windowsAt(message.at, await readTimeZone(transaction, card.organizationId));
  const row = transactionOf(card, { ...message, ...request }, { ...message.verdict, windows, now });
  await insertTransactionRow(transaction, row);
  await count(transaction, card, windows, row.held);
  await recordEvent(step, row, { kind: "AUTHORIZATION", amount: row.amount, counted: row.held });
  return true;
}

async function recordIncrement(
  step: Step,
  { amount }: Increment,
  row: TransactionRow | undefined,
): Promise<boolean> {
  const { transaction, card, message } = step;
  if (row?.status !== "PENDING") return false;
  const counted = message.verdict.approved ? amount : 0;
  await updateTransactionRow(transaction, row, {
    authorized: row.authorized + counted,
    held: row.held + counted,
    amount: row.amount + counted,
  });
  await count(transaction, card, windowsAt(new Date(row.localDay), "UTC"), counted);
  await recordEvent(step, row, { kind: "INCREMENT", amount, counted });
  return true;
}

async function recordEvent(
  { transaction, message: { networkId, verdict }, now }: Step,
  { organizationId, cardId, id: transactionId }: TransactionRow,
  effect: { kind: "AUTHORIZATION" | "INCREMENT"; amount: number; counted: number },
): Promise<void> {
  await insertEventRow(transaction, {
    ...effect,
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    networkId: adviceOf(networkId),
    final: null,
    decision: advisedDecision(verdict, now),
    createdAt: now,
  });
}
