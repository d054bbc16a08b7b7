import { eventOf, nextId } from "../events.ts";

interface Purchase {
  card: string;
  /** Minor units of the card's currency. */
  amount: number;
  currency?: string;
  merchantAmount?: number;
  merchantCurrency?: string;
  method?: string;
  presence?: string | null;
  atmFee?: number | null;
  merchant?: Partial<typeof cornerCoffee>;
}

const cornerCoffee = {
  category: "fast_food_restaurants",
  category_code: "5814" as string | null,
  city: "London",
  country: "GB" as string | null,
  name: "CORNER COFFEE" as string | null,
  network_id: "1234567890" as string | null,
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

/** An authorization before its first decision. */
function newAuthorization(purchase: Purchase) {
  const { card, amount, currency = "gbp", merchantCurrency = currency } = purchase;
  return {
    id: nextId("iauth"),
    object: "issuing.authorization",
    amount: 0,
    amount_details: { atm_fee: purchase.atmFee ?? null, cashback_amount: 0 },
    approved: false,
    authorization_method: purchase.method ?? "contactless",
    card: { id: card, object: "issuing.card", last4: "0001", status: "active" },
    card_presence: purchase.presence ?? null,
    cardholder: "ich_1",
    created: (seconds += 1),
    currency,
    merchant_amount: purchase.merchantAmount ?? amount,
    merchant_currency: merchantCurrency,
    merchant_data: { ...cornerCoffee, ...purchase.merchant },
    metadata: {},
    pending_request: null as object | null,
    request_history: [] as FakeDecision[],
    status: "pending",
    transactions: [] as object[],
  };
}
type FakeAuthorization = ReturnType<typeof newAuthorization>;

/** A decided request. */
interface FakeDecision {
  amount: number;
  amount_details: object;
  approved: boolean;
  created: number;
  currency: string;
  reason: string;
  reason_message: null;
}

/** A capture or a refund. Captures are negative. */
function newTransaction(authorization: FakeAuthorization, type: string, amount: number, of: string | null) {
  const { card, cardholder, currency, merchant_currency, merchant_data } = authorization;
  return {
    id: nextId("ipi"),
    object: "issuing.transaction",
    amount,
    authorization: of,
    card: card.id,
    cardholder,
    created: (seconds += 1),
    currency,
    merchant_amount: amount,
    merchant_currency,
    merchant_data,
    metadata: {},
    type,
    wallet: null,
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
    authorization.pending_request = { ...amounts, is_amount_controllable: false, network_risk_score: null };
    requestedAmount = amount;
    return issuingEvent("issuing_authorization.request", authorization);
  };
  const update = (previous: object) => issuingEvent("issuing_authorization.updated", authorization, previous);
  const endWith = (status: string) => {
    const { status: before, amount } = authorization;
    Object.assign(authorization, { status, ...(status === "reversed" && { amount: 0 }) });
    return update({ status: before, ...(status === "reversed" && { amount }) });
  };
  const moved = (type: string, amount: number, of: string | null = authorization.id) =>
    issuingEvent("issuing_transaction.created", newTransaction(authorization, type, amount, of));

  return {
    authorization,
    request: () => request(purchase.amount),
    increment: request,
    /** Decides the pending request, with a reason of Stripe's. The first decision creates the authorization. */
    decide: (approved: boolean, reason = approved ? "webhook_approved" : "webhook_declined") => {
      const { amount, amount_details, currency, request_history: history } = authorization;
      const isFirst = history.length === 0;
      const decision = {
        amount: requestedAmount,
        amount_details,
        approved,
        created: (seconds += 1),
        currency,
        reason,
      };
      authorization.request_history = [{ ...decision, reason_message: null }, ...history];
      authorization.pending_request = null;
      if (approved) Object.assign(authorization, { approved, amount: amount + requestedAmount });
      else if (isFirst) authorization.status = "closed";
      if (isFirst) return issuingEvent("issuing_authorization.created", authorization);
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
      const captured = moved("capture", 0 - amount);
      const { transactions, status } = authorization;
      authorization.transactions = [...transactions, captured.data.object];
      if (closes) authorization.status = "closed";
      return [captured, update({ transactions, ...(closes && { status }) })] as const;
    },
    forceCapture: (amount: number) => moved("capture", 0 - amount, null),
    refund: (amount: number, of: string | null = authorization.id) => moved("refund", amount, of),
  };
}
