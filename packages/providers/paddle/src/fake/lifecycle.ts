import { requireEntity } from "./call.ts";
import {
  type FakePaddleSubscription,
  type FakePaddleTransaction,
  newCustomer,
  newSubscription,
  newTransaction,
  periodFrom,
} from "./entities.ts";
import type { PaddleState } from "./state.ts";

/** A customer opens the page and enters an email address and a country. */
export function fillIn(state: PaddleState, reference: string): FakePaddleTransaction {
  const transaction = requireEntity(state.transactions, reference);
  if (transaction.status === "draft") {
    if (transaction.customer_id === null) {
      const customer = newCustomer(state.newId("ctm"), `buyer-${reference}@example.com`, state.now());
      state.customers.set(customer.id, customer);
      transaction.customer_id = customer.id;
    }
    transaction.address_id = state.newId("add");
    advance(state, transaction, "ready");
  }
  return transaction;
}

/** A customer pays, and Paddle has captured the payment. */
export function capture(state: PaddleState, reference: string): FakePaddleTransaction {
  const transaction = fillIn(state, reference);
  if (transaction.status !== "ready") throw new Error(`A ${transaction.status} transaction cannot be paid`);
  advance(state, transaction, "paid");
  return transaction;
}

/** A customer pays. Paddle creates the subscription after the payment and before the transaction completes. */
export function pay(state: PaddleState, reference: string): string {
  const captured = state.transactions.get(reference);
  const transaction = captured?.status === "paid" ? captured : capture(state, reference);
  const product = requireEntity(state.products, transaction.items[0]!.price.product_id);
  const subscription = newSubscription(state.newId("sub"), transaction, product, state.clock);
  state.subscriptions.set(subscription.id, subscription);
  // Only this event names the transaction.
  state.emit("subscription.created", { ...subscription, transaction_id: transaction.id });
  state.emit(`subscription.${subscription.status === "active" ? "activated" : "trialing"}`, subscription);
  transaction.subscription_id = subscription.id;
  advance(state, transaction, "completed");
  return subscription.id;
}

/** The period ends and the next one is paid, or an overdue payment succeeds. */
export function renewFakePaddleSubscription(state: PaddleState, id: string): void {
  const subscription = requireEntity(state.subscriptions, id);
  const wasActive = subscription.status === "active";
  if (subscription.status !== "past_due") moveOn(state, subscription);
  Object.assign(subscription, { status: "active", updated_at: state.now() });
  if (!wasActive) state.emit("subscription.activated", subscription);
  state.emit("subscription.updated", subscription);
  const transaction = renewalOf(state, subscription);
  advance(state, transaction, "paid");
  advance(state, transaction, "completed");
}

/** The period ends and the card is declined. The next period starts anyway. */
export function failFakePaddlePayment(state: PaddleState, id: string): void {
  const subscription = requireEntity(state.subscriptions, id);
  moveOn(state, subscription);
  state.emit("subscription.updated", subscription);
  const transaction = renewalOf(state, subscription);
  state.emit("transaction.payment_failed", transaction);
  advance(state, transaction, "past_due");
  Object.assign(subscription, { status: "past_due", updated_at: state.now() });
  state.emit("subscription.updated", subscription);
  state.emit("subscription.past_due", subscription);
}

/** Pauses a subscription at once, as the seller or the end of dunning does. */
export function pause(state: PaddleState, id: string): void {
  const subscription = requireEntity(state.subscriptions, id);
  Object.assign(subscription, {
    status: "paused",
    paused_at: state.now(),
    updated_at: state.now(),
    current_billing_period: null,
    next_billed_at: null,
  });
  state.emit("subscription.updated", subscription);
  state.emit("subscription.paused", subscription);
}

/** Sets any fields, such as a status that the adapter does not know. */
export function put(state: PaddleState, id: string, fields: Partial<FakePaddleSubscription>): void {
  const subscription = Object.assign(requireEntity(state.subscriptions, id), fields, {
    updated_at: state.now(),
  });
  state.emit("subscription.updated", subscription);
}

function moveOn(state: PaddleState, subscription: FakePaddleSubscription): void {
  const { current_billing_period: before, billing_cycle: cycle, items } = subscription;
  const period = periodFrom(before!.ends_at, cycle);
  Object.assign(subscription, {
    current_billing_period: period,
    next_billed_at: period.ends_at,
    updated_at: state.now(),
    items: items.map((item) => ({
      ...item,
      previously_billed_at: period.starts_at,
      next_billed_at: period.ends_at,
    })),
  });
}

function renewalOf(state: PaddleState, subscription: FakePaddleSubscription): FakePaddleTransaction {
  const { customer_id, custom_data, items, id: subscription_id } = subscription;
  const id = state.newId("txn");
  const checkout = { url: `https://pay.example.com/default?_ptxn=${id}` };
  const billed = items.map(({ price, quantity }) => ({ price, quantity }));
  const purchase = { customer_id, custom_data, checkout, items: billed };
  const renewal = newTransaction(id, purchase, state.now());
  const billing_period = subscription.current_billing_period;
  Object.assign(renewal, {
    status: "billed",
    origin: "subscription_recurring",
    subscription_id,
    billing_period,
  });
  state.transactions.set(id, renewal);
  state.emit("transaction.created", renewal);
  return renewal;
}

function advance(
  state: PaddleState,
  transaction: FakePaddleTransaction,
  status: Exclude<FakePaddleTransaction["status"], "draft">,
): void {
  Object.assign(transaction, { status, updated_at: state.now() });
  state.emit("transaction.updated", transaction);
  state.emit(`transaction.${status}`, transaction);
}
