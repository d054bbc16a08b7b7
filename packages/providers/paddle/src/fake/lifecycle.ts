import { known } from "./call.ts";
import {
  type FakeSubscription,
  type FakeTransaction,
  newCustomer,
  newSubscription,
  newTransaction,
  periodFrom,
} from "./entities.ts";
import type { FakeState } from "./state.ts";

/** A customer opens the page and enters an email address and a country. */
export function fillIn(state: FakeState, reference: string): FakeTransaction {
  const transaction = known(state.transactions, reference);
  if (transaction.status === "draft") {
    if (transaction.customer_id === null) {
      const customer = newCustomer(state.newId("ctm"), `buyer-of-${reference}@example.com`, state.now());
      state.customers.set(customer.id, customer);
      transaction.customer_id = customer.id;
    }
    transaction.address_id = state.newId("add");
    advance(state, transaction, "ready");
  }
  return transaction;
}

/** A customer pays. Paddle creates the subscription after the payment and before the transaction completes. */
export function pay(state: FakeState, reference: string): string {
  const transaction = fillIn(state, reference);
  if (transaction.status !== "ready")
    throw new Error(`Nobody can pay for a ${transaction.status} transaction`);
  advance(state, transaction, "paid");
  const product = known(state.products, transaction.items[0]!.price.product_id);
  const subscription = newSubscription(state.newId("sub"), transaction, product, state.clock);
  state.subscriptions.set(subscription.id, subscription);
  state.happen("subscription.created", subscription);
  state.happen(`subscription.${subscription.status === "active" ? "activated" : "trialing"}`, subscription);
  transaction.subscription_id = subscription.id;
  advance(state, transaction, "completed");
  return subscription.id;
}

/** The period ends and the next one is paid, or an overdue payment succeeds. */
export function renew(state: FakeState, id: string): void {
  const subscription = known(state.subscriptions, id);
  const wasActive = subscription.status === "active";
  if (subscription.status !== "past_due") moveOn(state, subscription);
  Object.assign(subscription, { status: "active", updated_at: state.now() });
  if (!wasActive) state.happen("subscription.activated", subscription);
  state.happen("subscription.updated", subscription);
  const transaction = renewalOf(state, subscription);
  advance(state, transaction, "paid");
  advance(state, transaction, "completed");
}

/** The period ends and the card is declined. The next period starts anyway. */
export function failPayment(state: FakeState, id: string): void {
  const subscription = known(state.subscriptions, id);
  moveOn(state, subscription);
  state.happen("subscription.updated", subscription);
  const transaction = renewalOf(state, subscription);
  state.happen("transaction.payment_failed", transaction);
  advance(state, transaction, "past_due");
  Object.assign(subscription, { status: "past_due", updated_at: state.now() });
  state.happen("subscription.updated", subscription);
  state.happen("subscription.past_due", subscription);
}

/** Pauses a subscription at once, as the seller or the end of dunning does. */
export function pause(state: FakeState, id: string): void {
  const subscription = known(state.subscriptions, id);
  Object.assign(subscription, {
    status: "paused",
    paused_at: state.now(),
    updated_at: state.now(),
    current_billing_period: null,
    next_billed_at: null,
  });
  state.happen("subscription.updated", subscription);
  state.happen("subscription.paused", subscription);
}

/** Sets any fields, such as a status that the adapter does not know. */
export function put(state: FakeState, id: string, fields: Partial<FakeSubscription>): void {
  const subscription = Object.assign(known(state.subscriptions, id), fields, { updated_at: state.now() });
  state.happen("subscription.updated", subscription);
}

function moveOn(state: FakeState, subscription: FakeSubscription): void {
  const { current_billing_period: before, billing_cycle: cycle, items } = subscription;
  const period = periodFrom(before!.ends_at, cycle!);
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

function renewalOf(state: FakeState, subscription: FakeSubscription): FakeTransaction {
  const { customer_id, custom_data, items, id: subscription_id } = subscription;
  const id = state.newId("txn");
  const checkout = { url: `https://pay.example.com/default?_ptxn=${id}` };
  const renewal = newTransaction(id, { customer_id, custom_data, checkout, items }, state.now());
  const billing_period = subscription.current_billing_period;
  Object.assign(renewal, {
    status: "billed",
    origin: "subscription_recurring",
    subscription_id,
    billing_period,
  });
  state.transactions.set(id, renewal);
  state.happen("transaction.created", renewal);
  return renewal;
}

function advance(state: FakeState, transaction: FakeTransaction, status: string): void {
  Object.assign(transaction, { status, updated_at: state.now() });
  state.happen("transaction.updated", transaction);
  state.happen(`transaction.${status}`, transaction);
}
