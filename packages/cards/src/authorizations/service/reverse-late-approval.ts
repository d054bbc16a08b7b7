import { newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { retryTransaction } from "@purser/platform";
import type { AdvisedVerdict, CardMessage, IssuerName } from "../../ports.ts";
import { advisedDecision } from "../rules/decide.ts";
import { reverse } from "../rules/settle.ts";
import { windowsAt } from "../rules/windows.ts";
import {
  type StoredMessage,
  count,
  findByMessage,
  insertEventRow,
  lockReferencedCard,
  updateTransactionRow,
  withdrawalOf,
} from "../store/settle.ts";

/**
 * Takes back an approval that reached the network too late: the network has refused by then. Where it has told what it
 * did, that holds (see `advise`).
 */
export async function reverseLateApproval(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: Extract<CardMessage, { kind: "authorization" | "increment" }>,
): Promise<void> {
  await retryTransaction(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      const told = card && (await findByMessage(transaction, card, message.networkId));
      if (told === undefined || told.withdrawn || told.advised) return;
      await reverseApproval(transaction, told, "decision_timed_out", clock.now());
    }),
  );
}

/**
 * Gives back what an approval holds still, to the windows that it was taken from; false where something else has ended
 * the purchase meanwhile. The card is locked.
 */
export async function reverseApproval(
  transaction: Transaction,
  { event, transaction: row }: StoredMessage,
  reason: Exclude<AdvisedVerdict["reason"], null>,
  now: Date,
): Promise<boolean> {
  const effect = reverse(row, Math.min(event.counted, row.held), now, reason);
  if ("refused" in effect) return false;
  const { organizationId, cardId, id: transactionId } = row;
  const windows = windowsAt(new Date(row.localDay), "UTC");
  await updateTransactionRow(transaction, row, effect.after);
  await count(transaction, { organizationId, id: cardId }, windows, effect.counted);
  await insertEventRow(transaction, {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    kind: "REVERSAL",
    networkId: withdrawalOf(event.networkId),
    amount: effect.amount,
    counted: effect.counted,
    final: null,
    decision: advisedDecision({ approved: false, reason }, now),
    createdAt: now,
  });
  return true;
}
