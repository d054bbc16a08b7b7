import { endedHoldReasons } from "@purser/core";
import type { cardLedgerEntries } from "@purser/db";
import type { z } from "zod";
import { withdrawalOf } from "../authorizations/rules/network-ids.ts";
import type { CardDecision, CardTransaction, RecordedCardDecision } from "./contract.ts";

/** A card transaction as callers see it. */
export const toCardTransaction = ({
  id,
  cardId,
  amount,
  currency,
  merchantName,
  merchantId,
  merchantCategory,
  description,
  status,
  declineReason,
  createdAt,
  settledAt,
}: z.output<typeof CardTransaction>): z.output<typeof CardTransaction> => ({
  id,
  cardId,
  amount,
  currency,
  merchantName,
  merchantId,
  merchantCategory,
  description,
  status,
  declineReason,
  createdAt,
  settledAt,
});

/** A ledger entry of a card transaction, as far as it explains the decision. */
export type ExplainedEntry = Pick<
  typeof cardLedgerEntries.$inferSelect,
  "kind" | "networkId" | "amount" | "counted" | "decision" | "createdAt"
>;

/** Explains a transaction by its entries, the oldest first. */
export function explainEntries(entries: readonly ExplainedEntry[]): z.output<typeof RecordedCardDecision> {
  const withdrawals = new Map(
    entries.filter(({ kind }) => kind === "REVERSAL").map((entry) => [entry.networkId, entry]),
  );
  const decide = (entry: ExplainedEntry) =>
    explainDecision(entry, withdrawals.get(withdrawalOf(entry.networkId)));
  const first = firstOf(entries);
  const increments = entries
    .filter(({ kind, amount }) => kind === "INCREMENT" && amount > 0)
    .map((entry) => ({ ...decide(entry), amount: entry.amount }));
  const amountBeyondApproval = Math.max(0, clearedOf(entries) - approvedOf(entries));
  if (first.kind === "AUTHORIZATION") {
    return { ...decide(first), origin: "authorization", increments, amountBeyondApproval };
  }
  const origin = first.kind === "CLEARING" ? "force_post" : first.kind === "REFUND" ? "refund" : "dispute";
  return { ...undecided, decidedAt: first.createdAt, origin, increments, amountBeyondApproval };
}

/** The approval that was withdrawn, as it was before. Null if there is none. */
export function withdrawnApproval(
  entries: readonly ExplainedEntry[],
): { approvedAt: Date; approvedAmount: number | null } | null {
  const first = firstOf(entries);
  const id = withdrawalOf(first.networkId);
  const isWithdrawn = entries.some(({ kind, networkId }) => kind === "REVERSAL" && networkId === id);
  if (first.kind !== "AUTHORIZATION" || !isWithdrawn) return null;
  const { outcome, decidedAt, approvedAmount } = explainDecision(first);
  return outcome === "approved" ? { approvedAt: decidedAt, approvedAmount } : null;
}

/** The entry that began a transaction. Processes name entries by their own clocks, so a later one may come before it. */
const firstOf = (entries: readonly ExplainedEntry[]): ExplainedEntry =>
  entries.find(({ kind }) => kind === "AUTHORIZATION") ?? entries[0]!;

/** Whether the engine would decide the purchase anew, so that a check of the policy tells something about it. */
export function canCheck({
  outcome,
  reason,
}: Pick<z.output<typeof RecordedCardDecision>, "outcome" | "reason">): boolean {
  return outcome === "declined" && !decidedElsewhere.has(reason ?? "");
}

/** A check is in the card's currency, and neither the issuer nor the end of a hold is a rule of the engine. */
const decidedElsewhere = new Set<string>(["currency_not_supported", "issuer_declined", ...endedHoldReasons]);

const clearedOf = (entries: readonly ExplainedEntry[]) =>
  entries.reduce((sum, { kind, amount }) => (kind === "CLEARING" ? sum + amount : sum), 0);

/** What was approved and not released before it was cleared. */
const approvedOf = (entries: readonly ExplainedEntry[]) =>
  entries.reduce(
    (sum, { kind, counted }) => (kind === "CLEARING" || kind === "REFUND" ? sum : sum + counted),
    0,
  );

/** Reads a decision. One that was withdrawn is declined, with the reason and the instant of the withdrawal. */
export function explainDecision(
  { decision, amount: requestedAmount, counted: approvedAmount }: ExplainedEntry,
  withdrawal?: ExplainedEntry,
): z.output<typeof CardDecision> & { decidedAt: Date } {
  const { resetsAt, decidedAt, exactId: _exactId, receivedAt: _receivedAt, ...stored } = decision!;
  const read = {
    ...stored,
    // Decisions of older versions do not name the amounts.
    requestedAmount,
    approvedAmount,
    resetsAt: resetsAt === null ? null : new Date(resetsAt),
    // It was requested in one currency, and the limit is in another.
    ...(stored.reason === "currency_not_supported" && noLimit),
  };
  if (withdrawal === undefined) return { ...read, decidedAt: new Date(decidedAt) };
  const reason = withdrawal.decision?.reason ?? null;
  return { ...read, outcome: "declined", reason, approvedAmount: 0, decidedAt: withdrawal.createdAt };
}

const noLimit = { limit: null, used: null, remaining: null, resetsAt: null, interval: null } as const;

const undecided = {
  outcome: "not_requested",
  reason: null,
  requestedAmount: null,
  approvedAmount: null,
  ...noLimit,
} as const;
