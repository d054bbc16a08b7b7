import type { CardMessage } from "@purser/cards/ports";
import { z } from "zod";
import { parseLithicPayload } from "./errors.ts";
import { LithicMerchant, Time, Token } from "./requests.ts";

/** `dispute.updated`, of disputes that a program files itself, names no card and no money that moved. */
const disputeTypes: ReadonlySet<string> = new Set([
  "dispute_transaction.created",
  "dispute_transaction.updated",
]);

export const isDisputeType = (type: string) => disputeTypes.has(type);

const Financial = z.object({
  type: z.literal("FINANCIAL"),
  token: Token,
  created: Time,
  data: z.object({ amount: z.int(), polarity: z.enum(["CREDIT", "DEBIT"]) }),
});
/** Steps of the procedure, and what the program grants the cardholder meanwhile. */
const Other = z.object({ type: z.string().refine((type) => type !== "FINANCIAL") });

const Dispute = z.object({
  card_token: Token,
  currency: z.string(),
  merchant: LithicMerchant,
  transaction_series: z
    .object({ related_transaction_token: Token, related_transaction_event_token: Token.nullish() })
    .nullish(),
  events: z.array(z.union([Financial, Other])),
});

/**
 * Reads the money that a dispute moved between the program and the merchant's acquirer: its financial events
 * (https://docs.lithic.com/docs/liability-and-money-movement). A provisional credit is the program's own money and would
 * count the same amount twice. Each event about a dispute lists all its events.
 */
export function readLithicDispute(type: string, content: unknown): CardMessage[] {
  const dispute = parseLithicPayload(type, Dispute, content);
  const { card_token: card, currency, merchant, transaction_series: disputed } = dispute;
  return dispute.events.flatMap((event): CardMessage[] => {
    if (!("data" in event)) return [];
    const { token: networkId, created: at, data } = event;
    const amount = Math.abs(data.amount);
    if (amount === 0) return [];
    return [
      {
        kind: "dispute",
        networkId,
        card,
        at,
        direction: data.polarity === "CREDIT" ? "credit" : "debit",
        authorization: disputed?.related_transaction_token ?? null,
        clearing: disputed?.related_transaction_event_token ?? null,
        amount,
        currency: currency.toUpperCase(),
        merchant,
      },
    ];
  });
}
