import { newId } from "@purser/core";
import type { CardMerchant, CardMessageOf } from "../../ports.ts";
import { holderAt } from "../rules/holder-at.ts";
import type { HoldChange } from "../rules/holds.ts";
import { windowsAt } from "../rules/windows.ts";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { newLedgerEntry } from "./record.ts";

/** Messages about a purchase that need no decision. */
export type SettlementMessage = CardMessageOf<
  "reversal" | "adjustment" | "expiry" | "clearing" | "refund" | "dispute"
>;

/** The card of a settlement. Locked. */
export interface SettledCard {
  organizationId: string;
  id: string;
  holderId: string | null;
  assignedAt: Date | null;
  currency: string;
  timeZone: string;
}

/** A transaction that is complete from the start. */
export function newCompletedRow(
  card: SettledCard,
  { at, merchant }: { at: Date; merchant: CardMerchant | null },
  purchase: TransactionRow | undefined,
  now: Date,
): Omit<TransactionRow, "amount"> {
  return {
    organizationId: card.organizationId,
    id: newId("ctx", now),
    cardId: card.id,
    // A refund, correction or dispute of a former holder's purchase must not be shown to the present holder.
    holderId: purchase === undefined ? holderAt(card, at) : purchase.holderId,
    authorizationReference: null,
    status: "COMPLETED",
    currency: card.currency,
    merchantName: merchant?.name ?? purchase?.merchantName ?? "Unknown merchant",
    merchantId: merchant?.id ?? purchase?.merchantId ?? null,
    merchantCategory: merchant?.category ?? purchase?.merchantCategory ?? null,
    merchantCountry: merchant?.country ?? purchase?.merchantCountry ?? null,
    channel: purchase?.channel ?? "online",
    description: purchase?.description ?? null,
    declineReason: null,
    requested: null,
    authorized: 0,
    held: 0,
    cleared: 0,
    refunded: 0,
    purchasedAt: at,
    localDay: windowsAt(at, card.timeZone).day,
    createdAt: now,
    settledAt: now,
    expiresAt: null,
  };
}

const kinds = {
  reversal: "REVERSAL",
  adjustment: "REVERSAL",
  expiry: "EXPIRY",
  clearing: "CLEARING",
  refund: "REFUND",
} as const;
const disputeKinds = { credit: "DISPUTE_CREDIT", debit: "DISPUTE_DEBIT" } as const;

/** The entry that records a message. */
export function settlementEntry(
  row: TransactionRow,
  message: SettlementMessage,
  { amount, counted }: Pick<HoldChange, "amount" | "counted">,
  now: Date,
): LedgerEntry {
  const { networkId } = message;
  const kind = message.kind === "dispute" ? disputeKinds[message.direction] : kinds[message.kind];
  const final = kind === "CLEARING" ? row.status === "COMPLETED" : null;
  return newLedgerEntry(row, { kind, networkId, amount, counted, final, decision: null }, now);
}
