import type { Stripe } from "stripe";
import { eventOf, nextId } from "../events.ts";
import { stripeContract } from "../vendor-contract.ts";
import type { OnTheWire } from "../objects.ts";
import { fakeCard, fakeCardholder } from "./objects.ts";

/** The SDK types both fields as required. The adapter also accepts null. */
type MerchantData = Omit<Stripe.Issuing.Authorization.MerchantData, "category_code" | "network_id"> & {
  category_code: string | null;
  network_id: string | null;
};

/** A capture or a refund. Captures are negative. */
export type FakeTransaction = OnTheWire<
  Stripe.Issuing.Transaction,
  { authorization: string | null; card: string; cardholder: string; merchant_data: MerchantData }
>;

type FakeAuthorization = OnTheWire<
  Stripe.Issuing.Authorization,
  { cardholder: string; merchant_data: MerchantData; transactions: FakeTransaction[] }
>;

interface Purchase {
  card: string;
  /** Minor units of the card's currency. */
  amount: number;
  currency?: string;
  merchantAmount?: number;
  merchantCurrency?: string;
  method?: Stripe.Issuing.Authorization.AuthorizationMethod;
  presence?: Stripe.Issuing.Authorization.CardPresence | null;
  atmFee?: number | null;
  /** The part of the amount that is cash. */
  cash?: number;
  /** Whether the merchant accepts an approval of less. */
  controllable?: boolean;
  merchant?: Partial<MerchantData>;
}

const cornerCoffee: MerchantData = {
  category: "fast_food_restaurants",
  category_code: "5814",
  city: "London",
  country: "GB",
  name: "CORNER COFFEE",
  network_id: "1234567890",
  postal_code: "N1 9GU",
  state: null,
  tax_id: null,
  terminal_id: "99999999",
  url: null,
};

/** Starts at 2026-03-02T09:00:00Z. Every step takes a second. */
let seconds = 1_772_442_000;

export function issuingEvent(type: string, object: object, previous?: object) {
  return eventOf((seconds += 1), type, object, previous);
}

/** An event that Stripe sends. */
function sent(type: Parameters<typeof stripeContract.webhook>[0], object: object, previous?: object) {
  return stripeContract.webhook(type, issuingEvent(type, object, previous));
}

/** An authorization before its first decision. */
function newAuthorization(purchase: Purchase): FakeAuthorization {
  const { card, amount, currency = "gbp", merchantCurrency = currency } = purchase;
  return {
    id: nextId("iauth"),
    object: "issuing.authorization",
    amount: 0,
    amount_details: { atm_fee: purchase.atmFee ?? null, cashback_amount: purchase.cash ?? 0 },
    approved: false,
    authorization_method: purchase.method ?? "contactless",
    balance_transactions: [],
    card: fakeCard({ id: card, cardholder: fakeCardholder({ id: "ich_1" }) }),
    card_presence: purchase.presence ?? null,
    cardholder: "ich_1",
    created: (seconds += 1),
    currency,
    fleet: null,
    fuel: null,
    livemode: false,
    merchant_amount: purchase.merchantAmount ?? amount,
    merchant_currency: merchantCurrency,
    merchant_data: { ...cornerCoffee, ...purchase.merchant },
    metadata: {},
    network_data: null,
    pending_request: null,
    request_history: [],
    status: "pending",
    transactions: [],
    verification_data: {
      address_line1_check: "not_provided",
      address_postal_code_check: "not_provided",
      authentication_exemption: null,
      cvc_check: "match",
      expiry_check: "match",
      postal_code: null,
      three_d_secure: null,
    },
    verified_by_fraud_challenge: null,
    wallet: null,
  };
}
function newTransaction(
  authorization: FakeAuthorization,
  type: "capture" | "refund",
  amount: number,
  of: string | null,
): FakeTransaction {
  const { card, cardholder, currency, merchant_currency, merchant_data } = authorization;
  return {
    id: nextId("ipi"),
    object: "issuing.transaction",
    amount,
    amount_details: null,
    authorization: of,
    balance_transaction: null,
    card: card.id,
    cardholder,
    created: (seconds += 1),
    currency,
    dispute: null,
    livemode: false,
    merchant_amount: amount,
    merchant_currency,
    merchant_data,
    metadata: {},
    network_data: null,
    type,
    wallet: null,
  };
}

/** The entry of `request_history`. Its amount is the requested one, also after a partial approval. */
function newDecision(
  { amount_details, currency, merchant_amount, merchant_currency }: FakeAuthorization,
  amount: number,
  approved: boolean,
  reason: string,
) {
  return {
    amount,
    amount_details,
    approved,
    authorization_code: null,
    created: (seconds += 1),
    currency,
    merchant_amount,
    merchant_currency,
    network_risk_score: null,
    reason,
    reason_message: null,
    requested_at: null,
  };
}

/**
 * A purchase on its way through the network. Each step returns the events that Stripe sends. Call `decide` after a step
 * that requests an amount.
 */
export function fakePurchase(purchase: Purchase) {
  const authorization = newAuthorization(purchase);
  let requestedAmount = 0;

  const request = (amount: number) => {
    const { currency, amount_details, merchant_amount, merchant_currency } = authorization;
    const amounts = { amount, amount_details, currency, merchant_amount, merchant_currency };
    const { controllable: is_amount_controllable = false } = purchase;
    authorization.pending_request = { ...amounts, is_amount_controllable, network_risk_score: null };
    requestedAmount = amount;
    return sent("issuing_authorization.request", authorization);
  };
  const update = (previous: object) => sent("issuing_authorization.updated", authorization, previous);
  const endWith = (status: FakeAuthorization["status"]) => {
    const { status: before, amount } = authorization;
    Object.assign(authorization, { status, ...(status === "reversed" && { amount: 0 }) });
    return update({ status: before, ...(status === "reversed" && { amount }) });
  };
  const transactionOf = (type: "capture" | "refund", amount: number, of: string | null = authorization.id) =>
    newTransaction(authorization, type, amount, of);
  const created = (transaction: FakeTransaction) => sent("issuing_transaction.created", transaction);

  return {
    authorization,
    request: () => request(purchase.amount),
    increment: request,
    /**
     * Decides the pending request, with a reason of Stripe's, and holds the response's amount if it has one. The first
     * decision creates the authorization.
     */
    decide: (
      approved: boolean,
      reason = approved ? "webhook_approved" : "webhook_declined",
      heldAmount = requestedAmount,
    ) => {
      const { amount, request_history: history } = authorization;
      const isFirst = history.length === 0;
      const decision = newDecision(authorization, requestedAmount, approved, reason);
      authorization.request_history = [decision, ...history];
      authorization.pending_request = null;
      if (approved) Object.assign(authorization, { approved, amount: amount + heldAmount });
      else if (isFirst) authorization.status = "closed";
      if (isFirst) return sent("issuing_authorization.created", authorization);
      return update({ request_history: history, ...(approved && { amount }) });
    },
    reversal: (by?: number) => {
      if (by === undefined) return endWith("reversed");
      const { amount } = authorization;
      authorization.amount -= by;
      return update({ amount });
    },
    expire: () => endWith("expired"),
    close: () => endWith("closed"),
    /** Returns two events: the one of the transaction and the one of the authorization. */
    capture: (amount: number, { closes = true } = {}) => {
      const capture = transactionOf("capture", 0 - amount);
      const event = created(capture);
      const { transactions, status } = authorization;
      authorization.transactions = [...transactions, capture];
      if (closes) authorization.status = "closed";
      return [event, update({ transactions, ...(closes && { status }) })] as const;
    },
    forceCapture: (amount: number) => created(transactionOf("capture", 0 - amount, null)),
    refund: (amount: number, of: string | null = authorization.id) =>
      created(transactionOf("refund", amount, of)),
  };
}

/** A dispute of a transaction. Each step returns the event that Stripe sends. */
export function fakeDispute({ id, currency }: FakeTransaction, amount: number) {
  const dispute: OnTheWire<Stripe.Issuing.Dispute, { transaction: string }> = {
    id: nextId("idp"),
    object: "issuing.dispute",
    amount,
    created: (seconds += 1),
    currency,
    evidence: {
      reason: "fraudulent",
      fraudulent: { additional_documentation: null, explanation: "This is not ours." },
    },
    livemode: false,
    metadata: {},
    status: "submitted",
    transaction: id,
  };
  const moved = (type: "issuing_dispute.funds_reinstated" | "issuing_dispute.funds_rescinded") =>
    sent(type, dispute);
  return {
    dispute,
    reinstate: () => moved("issuing_dispute.funds_reinstated"),
    rescind: () => moved("issuing_dispute.funds_rescinded"),
  };
}
