import type { Lithic } from "lithic";
import { lithicToken } from "./replies.ts";
import { type LithicWebhooks, lithicContract } from "./vendor-contract.ts";

type Update = LithicWebhooks["dispute_transaction.updated"];
type Data = Update["events"][number]["data"];

let last = 0;
const nextToken = (kind: string) => lithicToken(kind, (last += 1));
/** Each event happens one hour after the last, months after the purchases. */
let instant = Date.parse("2026-04-20T09:00:00Z");

function newDispute(
  { token: disputed, card_token, account_token, amounts, merchant }: Lithic.Transaction,
  eventToken: string | null,
  amount: number,
  isKnown: boolean,
) {
  const { acceptor_id, acquiring_institution_id, city, country, descriptor, mcc, state } = merchant;
  const created = new Date(instant).toISOString();
  return {
    token: nextToken("d150"),
    account_token,
    card_token,
    case_id: null,
    created,
    currency: amounts.cardholder.currency,
    disposition: null,
    events: [] as Update["events"],
    liability_allocation: {
      denied_amount: 0,
      original_amount: amount,
      recovered_amount: 0,
      remaining_amount: amount,
      written_off_amount: 0,
    },
    merchant: { acceptor_id, acquiring_institution_id, city, country, descriptor, mcc, state },
    network: "VISA" as const,
    status: "OPEN" as const,
    transaction_series: isKnown
      ? {
          related_transaction_event_token: eventToken,
          related_transaction_token: disputed,
          type: "DISPUTE" as const,
        }
      : null,
    updated: created,
  };
}

/**
 * A dispute of an event of a transaction, which Lithic identifies or not. Each step adds an event, and returns the
 * webhook event with all of them.
 */
export function fakeLithicDispute(
  transaction: Lithic.Transaction,
  eventToken: string | null,
  amount: number,
  isKnown = true,
) {
  const dispute = newDispute(transaction, eventToken, amount, isKnown);
  const happen = (data: Data): Update => {
    const at = new Date((instant += 3_600_000)).toISOString();
    const event = { token: nextToken("d15e"), created: at, data, type: data.type };
    Object.assign(dispute, { events: [...dispute.events, event], updated: at });
    return lithicContract.webhook("dispute_transaction.updated", {
      ...structuredClone(dispute),
      event_type: "dispute_transaction.updated",
    });
  };
  const financial = (stage: "CHARGEBACK" | "REPRESENTMENT", polarity: "CREDIT" | "DEBIT") =>
    happen({ type: "FINANCIAL", amount, polarity, stage });
  const liability = (action: "PROVISIONAL_CREDIT_GRANTED" | "PROVISIONAL_CREDIT_REVERSED" | "WRITTEN_OFF") =>
    happen({ type: "CARDHOLDER_LIABILITY", action, amount, reason: "FRAUD" });
  return {
    dispute,
    open: () => {
      const { event_type: _type, ...opened } = happen({
        type: "WORKFLOW",
        action: "OPENED",
        amount,
        disposition: null,
        reason: null,
        stage: "CLAIM",
      });
      return lithicContract.webhook("dispute_transaction.created", {
        ...opened,
        event_type: "dispute_transaction.created" as const,
      });
    },
    chargeback: () => financial("CHARGEBACK", "CREDIT"),
    representment: () => financial("REPRESENTMENT", "DEBIT"),
    grant: () => liability("PROVISIONAL_CREDIT_GRANTED"),
    writeOff: () => liability("WRITTEN_OFF"),
  };
}
