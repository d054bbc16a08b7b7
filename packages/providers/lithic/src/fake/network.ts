import { createHmac } from "node:crypto";
import { lithicToken } from "./server.ts";

interface Purchase {
  card: string;
  /** Minor units of the card's currency. */
  amount: number;
  currency?: string;
  merchantAmount?: number;
  merchantCurrency?: string;
  /** The hold, if it differs from the amount. */
  hold?: { amount: number; currency: string } | null;
  cash?: number;
  status?: string;
  entry?: { card?: string; pan?: string };
  terminal?: string;
  merchant?: Partial<typeof cornerCoffee>;
}

const cornerCoffee = {
  acceptor_id: "XRKGDPOWEWQRRWU" as string | null,
  acquiring_institution_id: "333301802529120",
  city: "NEW YORK",
  country: "USA" as string | null,
  descriptor: "CORNER COFFEE" as string | null,
  mcc: "5814" as string | null,
  phone_number: null,
  postal_code: "10001",
  state: "NY",
  street_address: null,
};

let last = 0;
const nextToken = (kind: string) => lithicToken(kind, (last += 1));
/** Each event happens one second after the last. */
let instant = Date.parse("2026-03-02T09:00:00Z");
const now = () => new Date((instant += 1000)).toISOString().replace(".000Z", "Z");

/** Signs a message as Lithic does, by Standard Webhooks. */
export function signLithicWebhook(
  message: object | string,
  secret: string,
  at: Date,
  id = `msg_${(last += 1)}`,
) {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest("base64");
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return { body: Buffer.from(text), headers: new Headers(headers) };
}

/** A transaction at Lithic before its first event. */
function newTransaction(purchase: Purchase) {
  const { card: card_token, amount, currency = "USD", merchantAmount = amount } = purchase;
  const created = now();
  return {
    token: nextToken("7a00"),
    card_token,
    account_token: lithicToken("acc0", 1),
    created,
    updated: created,
    merchant: { ...cornerCoffee, ...purchase.merchant },
    network: "VISA",
    pos: {
      entry_mode: { card: "PRESENT", cardholder: "PRESENT", pan: "CONTACTLESS", ...purchase.entry },
      terminal: { attended: true, type: purchase.terminal ?? "POS_TERMINAL" },
    },
    result: "APPROVED",
    status: "PENDING",
    amounts: {
      cardholder: { amount, conversion_rate: "1.0", currency },
      hold: { amount: 0, currency },
      merchant: { amount: merchantAmount, currency: purchase.merchantCurrency ?? currency },
      settlement: { amount: 0, currency },
    },
    events: [] as ReturnType<typeof newEvent>[],
  };
}

function newEvent(
  type: string,
  amount: number,
  currency: string,
  effective_polarity: string,
  result: string,
  details: string[],
) {
  return {
    token: nextToken("e7e0"),
    type,
    amounts: {
      cardholder: { amount, conversion_rate: "1.0", currency },
      merchant: { amount, currency },
      settlement: null,
    },
    created: now(),
    detailed_results: details.length > 0 ? details : [result],
    effective_polarity,
    network_info: null,
    result,
    rule_results: [],
  };
}

/** One purchase: the request of Auth Stream Access, and the transaction with its events so far. */
export function fakeLithicPurchase(purchase: Purchase) {
  const transaction = newTransaction(purchase);
  const { token, created, merchant, network, pos, amounts } = transaction;
  return {
    token,
    transaction,
    /** The Auth Stream Access request. */
    request: () => ({
      ...deprecated,
      token,
      acquirer_fee: 0,
      amounts: { ...amounts, hold: purchase.hold ?? null, settlement: null },
      avs: { address: "", address_on_file_match: "NOT_PRESENT", zipcode: "" },
      card: { token: purchase.card, last_four: "0001", memo: "Travel", state: "OPEN", type: "VIRTUAL" },
      cash_amount: purchase.cash ?? 0,
      created,
      merchant,
      network,
      pos,
      status: purchase.status ?? "AUTHORIZATION",
      transaction_initiator: "CARDHOLDER",
    }),
    /** Adds an event; `held` is the hold after it. Returns the event's token. */
    happen: (
      type: string,
      amount: number,
      {
        held = 0,
        status = "PENDING",
        polarity = "DEBIT",
        result = "APPROVED",
        details = [] as string[],
      } = {},
    ) => {
      const event = newEvent(type, amount, amounts.cardholder.currency, polarity, result, details);
      transaction.events.push(event);
      transaction.amounts.hold.amount = held;
      Object.assign(transaction, { status, updated: event.created });
      return event.token;
    },
    /** The webhook event: the whole transaction. */
    update: () => ({ ...structuredClone(transaction), event_type: "card_transaction.updated" }),
  };
}

/** Deprecated fields, with values that would fail a test if the adapter read them. */
const deprecated = {
  amount: 999_999,
  authorization_amount: 999_999,
  merchant_amount: 999_999,
  settled_amount: 999_999,
  cardholder_currency: "XXX",
  merchant_currency: "XXX",
};
