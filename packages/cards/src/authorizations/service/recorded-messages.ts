import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import { repeatMs } from "../../network.ts";
import { adviceOf, withdrawalOf } from "../rules/network-ids.ts";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { type RecordedCard, findLedgerEntries } from "../store/recorded-messages.ts";
import { type DecisionResult, toDecisionResult } from "./record.ts";

/** The ledger entry that a network message became, with its transaction. */
export interface StoredMessage {
  entry: LedgerEntry;
  transaction: TransactionRow;
  /** Whether it was an approval that has been withdrawn. */
  withdrawn: boolean;
  /** Whether the network decided by itself. Then `entry` is its decision, whatever ours was. */
  advised: boolean;
  /** The `exactId` of the request that we decided. */
  exactId: string | undefined;
  /** When the request reached us. For one that its network names, only when it was recorded is known. */
  receivedAt: Date;
}

/** Returns the entry that already records a request, and the request with the id under which it is or will be on record. */
export async function findRepeatedRequest<
  Request extends { networkId: string; exactId?: string | undefined; receivedAt?: Date | undefined },
>(
  db: Executor,
  card: RecordedCard,
  message: Request,
): Promise<{ message: Request; first: StoredMessage | undefined }> {
  if (message.receivedAt !== undefined) return findReceivedAt(db, card, message, message.receivedAt);
  const first = await findByMessage(db, card, message.networkId);
  const networkId = message.exactId ?? message.networkId;
  // An entry of an older version has no exact id.
  if (first === undefined || (first.exactId ?? networkId) === networkId) return { message, first };
  return findUnderNetworkId(db, card, message, networkId);
}

/**
 * Finds the request that reached us at about an instant, among equal ones of one id. Each after the first is on record under
 * the id with its number. Returns the message with the id under which it is or will be on record.
 */
export async function findReceivedAt<Message extends { networkId: string }>(
  db: Executor,
  card: RecordedCard,
  message: Message,
  receivedAt: Date,
): Promise<{ message: Message; first: StoredMessage | undefined }> {
  for (let number = 1; ; number += 1) {
    const networkId = number === 1 ? message.networkId : `${message.networkId}:${number}`;
    const found = await findUnderNetworkId(db, card, message, networkId);
    const { first } = found;
    if (first === undefined || isNear(first.receivedAt, receivedAt)) return found;
  }
}

const isNear = (one: Date, other: Date) => Math.abs(one.getTime() - other.getTime()) <= repeatMs;

/** Returns a message under another id, and the entry that records it there. */
export async function findUnderNetworkId<Message extends { networkId: string }>(
  db: Executor,
  card: RecordedCard,
  message: Message,
  networkId: string,
): Promise<{ message: Message; first: StoredMessage | undefined }> {
  return { message: { ...message, networkId }, first: await findByMessage(db, card, networkId) };
}

/** Finds what became of a message of this card; undefined if it is not on record. */
export async function findByMessage(
  db: Executor,
  card: RecordedCard,
  networkId: string,
): Promise<StoredMessage | undefined> {
  const names = [adviceOf(networkId), networkId, withdrawalOf(networkId)];
  const found = await findLedgerEntries(db, card, names);
  const [advice, message, withdrawal] = names.map((id) => found.find(({ entry }) => entry.networkId === id));
  const last = advice ?? message;
  if (last === undefined) return undefined;
  const { exactId, receivedAt } = message?.entry.decision ?? {};
  return {
    ...last,
    exactId,
    receivedAt: receivedAt === undefined ? last.entry.createdAt : new Date(receivedAt),
    advised: advice !== undefined,
    withdrawn: !advice && withdrawal !== undefined,
  };
}

/** The response to a repeated message: the first response again. */
export function repeatedResult({ entry, transaction, withdrawn }: StoredMessage): DecisionResult {
  if (withdrawn) return { response: { approved: false, reason: "decision_timed_out" }, transaction };
  // The stored message has this id but was a notification, not a request.
  if (entry.decision === null) throw new Problem("TRANSACTION_FINAL");
  return toDecisionResult(transaction, entry.decision);
}
