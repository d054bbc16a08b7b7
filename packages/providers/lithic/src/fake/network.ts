import { createHmac } from "node:crypto";
import type { Lithic } from "lithic";
import { type LithicWebhooks, lithicContract } from "./vendor-contract.ts";
import { lithicToken } from "./replies.ts";

type Request = LithicWebhooks["card_authorization.approval_request"];
type Update = LithicWebhooks["card_transaction.updated"];
type Event = Lithic.Transaction.Event;

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
  status?: Request["status"];
  entry?: Partial<Pick<NonNullable<Request["pos"]>["entry_mode"] & object, "card" | "pan">>;
  terminal?: Lithic.Transaction.Pos.Terminal["type"];
  merchant?: Partial<Lithic.Transaction.Merchant>;
  /** Whether the terminal accepts an approval of less. */
  partial?: boolean;
}

const cornerCoffee: Lithic.Transaction.Merchant = {
  acceptor_id: "XRKGDPOWEWQRRWU",
  acquiring_institution_id: "333301802529120",
  city: "NEW YORK",
  country: "USA",
  descriptor: "CORNER COFFEE",
  mcc: "5814",
  phone_number: null,
  postal_code: "10001",
  state: "NY",
  street_address: null,
};

/** The results of responses that Lithic knows (API description, `asa-response.result`). */
const knownResults = new Set([
  "APPROVED",
  "AVS_INVALID",
  "CARD_PAUSED",
  "CHALLENGE",
  "DRIVER_NUMBER_INVALID",
  "INSUFFICIENT_FUNDS",
  "SUSPECTED_FRAUD",
  "UNAUTHORIZED_MERCHANT",
  "VEHICLE_NUMBER_INVALID",
  "VELOCITY_EXCEEDED",
]);

/** The detailed result of a decline with a response that has this result. */
export const lithicDetailOf = (result: string) =>
  (knownResults.has(result) ? result : "CUSTOM_ASA_RESULT") as Event["detailed_results"][number];

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
    acquirer_fee: 0,
    // oxlint-disable-next-line typescript/no-deprecated -- Lithic still sends it.
    acquirer_reference_number: null,
    authorization_code: null,
    avs: null,
    cardholder_authentication: null,
    created,
    updated: created,
    financial_account_token: null,
    merchant: { ...cornerCoffee, ...purchase.merchant },
    network: "VISA" as const,
    network_risk_score: null,
    pos: {
      entry_mode: { ...tapped, ...purchase.entry },
      terminal: terminalOf(purchase),
    },
    result: "APPROVED" as const,
    service_location: null,
    status: "PENDING" as const,
    tags: {},
    token_info: null,
    amounts: {
      cardholder: { amount, conversion_rate: "1.0", currency },
      hold: { amount: 0, currency },
      merchant: { amount: merchantAmount, currency: purchase.merchantCurrency ?? currency },
      settlement: { amount: 0, currency },
    },
    ...oldAmounts,
    // oxlint-disable-next-line typescript/no-deprecated -- Lithic still sends it.
    merchant_authorization_amount: 999_999,
    events: [] as Event[],
  } satisfies Lithic.Transaction;
}

const tapped = {
  card: "PRESENT",
  cardholder: "PRESENT",
  pan: "CONTACTLESS",
  pin_entered: false,
} as const satisfies Lithic.Transaction.Pos.EntryMode;

const counter = {
  attended: true,
  card_retention_capable: false,
  on_premise: true,
  operator: "CARD_ACCEPTOR",
  partial_approval_capable: false,
  pin_capability: "NOT_CAPABLE",
  type: "POS_TERMINAL",
} as const satisfies Lithic.Transaction.Pos.Terminal;

const terminalOf = ({ terminal: type = "POS_TERMINAL", partial = false }: Purchase) => ({
  ...counter,
  partial_approval_capable: partial,
  type,
});

interface Happening {
  /** The hold after the event. */
  held?: number;
  status?: Lithic.Transaction["status"];
  polarity?: Event["effective_polarity"];
  result?: Event["result"];
  details?: Event["detailed_results"];
}

const decidedTypes: ReadonlySet<string> = new Set([
  "AUTHORIZATION",
  "FINANCIAL_AUTHORIZATION",
  "BALANCE_INQUIRY",
]);

function newEvent(
  token: string,
  type: Event["type"],
  amount: number,
  currency: string,
  { polarity = "DEBIT", result = "APPROVED", details = [] }: Happening,
): Event {
  return {
    token,
    type,
    // oxlint-disable-next-line typescript/no-deprecated -- Lithic still sends it.
    amount: 999_999,
    amounts: {
      cardholder: { amount, conversion_rate: "1.0", currency },
      merchant: { amount, currency },
      settlement: null,
    },
    created: now(),
    detailed_results: details.length > 0 ? details : [result === "APPROVED" ? "APPROVED" : "DECLINED"],
    effective_polarity: polarity,
    network_info: null,
    result,
    rule_results: [],
  };
}

/** One purchase: the request of Auth Stream Access, and the transaction with its events so far. */
export function fakeLithicPurchase(purchase: Purchase) {
  const transaction: Lithic.Transaction & { events: Event[] } = newTransaction(purchase);
  const { token, created, merchant, amounts } = transaction;
  const requestOf = (amount: number, hold: Purchase["hold"], eventToken: string): Request =>
    lithicContract.webhook("card_authorization.approval_request", {
      ...oldAmounts,
      token,
      event_token: eventToken,
      event_type: "card_authorization.approval_request",
      acquirer_fee: 0,
      amounts: {
        ...amounts,
        cardholder: { ...amounts.cardholder, amount },
        hold: hold ?? null,
        settlement: null,
      },
      avs: { address: "", address_on_file_match: "NOT_PRESENT", zipcode: "" },
      card: {
        token: purchase.card,
        last_four: "0001",
        memo: "Travel",
        spend_limit: 0,
        spend_limit_duration: "TRANSACTION",
        state: "OPEN",
        type: "VIRTUAL",
      },
      cardholder_currency: "XXX",
      cash_amount: purchase.cash ?? 0,
      created,
      merchant,
      name_validation: null,
      network: "VISA",
      pos: {
        entry_mode: { ...tapped, ...purchase.entry },
        terminal: terminalOf(purchase),
      },
      service_location: null,
      status: purchase.status ?? "AUTHORIZATION",
      transaction_initiator: "CARDHOLDER",
    });
  /** The event tokens of requests whose events have not happened yet. */
  const requested: string[] = [];
  const requestToken = () => {
    const eventToken = nextToken("e7e0");
    requested.push(eventToken);
    return eventToken;
  };
  let firstToken: string | undefined;
  return {
    token,
    transaction,
    /** The Auth Stream Access request. Repeated, it has the same tokens. */
    request: () => requestOf(purchase.amount, purchase.hold, (firstToken ??= requestToken())),
    /** A request to add an amount: the same token, with a new event token. */
    increment: (amount: number) => requestOf(amount, null, requestToken()),
    /** Adds an event. Returns its token. */
    happen: (type: Event["type"], amount: number, happening: Happening = {}) => {
      const eventToken = (decidedTypes.has(type) && requested.shift()) || nextToken("e7e0");
      const event = newEvent(eventToken, type, amount, amounts.cardholder.currency, happening);
      transaction.events.push(event);
      transaction.amounts.hold.amount = happening.held ?? 0;
      Object.assign(transaction, { status: happening.status ?? "PENDING", updated: event.created });
      return event.token;
    },
    /** The webhook event: the whole transaction. */
    update: (): Update & { events: Event[] } => {
      const update = { ...structuredClone(transaction), event_type: "card_transaction.updated" as const };
      lithicContract.webhook("card_transaction.updated", update);
      return update;
    },
  };
}

/** Deprecated fields, with values that would fail a test if the adapter read them. */
const oldAmounts = {
  amount: 999_999,
  authorization_amount: 999_999,
  merchant_amount: 999_999,
  settled_amount: 999_999,
  merchant_currency: "XXX",
};
