import { newId } from "@purser/core";
import type { CardMessage, Verdict } from "../../ports.ts";
import type { Windows } from "../rules/windows.ts";
import type { TransactionRow } from "../store/decide.ts";

/** Holds end after seven days unless the network says otherwise. */
const holdMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** The transaction that a purchase becomes by the decision on it. An approval holds all of its amount. */
export function transactionOf(
  { organizationId, id: cardId }: { organizationId: string; id: string },
  {
    merchant,
    ...message
  }: Omit<Extract<CardMessage, { kind: "authorization" }>, "kind" | "networkId" | "card">,
  { approved, reason, windows, now }: Verdict & { windows: Windows; now: Date },
): TransactionRow {
  const held = approved ? message.amount : 0;
  return {
    organizationId,
    id: newId("ctx", now),
    cardId,
    authorizationReference: message.authorization,
    status: approved ? "PENDING" : "DECLINED",
    amount: message.amount,
    currency: message.currency,
    merchantName: merchant.name,
    merchantId: merchant.id,
    merchantCategory: merchant.category,
    merchantCountry: merchant.country,
    channel: message.channel,
    description: message.description,
    declineReason: reason,
    authorized: held,
    held,
    cleared: 0,
    refunded: 0,
    purchasedAt: message.at,
    localDay: windows.day,
    createdAt: now,
    settledAt: null,
    expiresAt: approved ? (message.expiresAt ?? new Date(now.getTime() + holdMilliseconds)) : null,
  };
}
