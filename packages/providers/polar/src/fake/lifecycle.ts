import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import type { Told } from "./events.ts";
import { type FakeCheckout, type PolarState, addCustomer, known } from "./state.ts";

type Interval = models.RecurringInterval;

/** A customer pays: the checkout succeeds and creates a subscription, which inherits its metadata. */
export function complete(state: PolarState, reference: string): { subscriptionId: string; told: Told[] } {
  const checkout = known(state.checkouts, reference);
  const now = state.clock.now().toISOString();
  if (checkout.status !== "open" || checkout.expires_at <= now)
    throw new Error("Nobody can pay for it any more");
  const customer = customerOf(state, checkout);
  const subscription = subscriptionOf(state, checkout, customer);
  state.subscriptions.unshift(subscription);
  Object.assign(checkout, { status: "succeeded", customer_id: customer.id });
  const told = [
    ...toldOf(subscription, "created", "active", "updated"),
    ...orderOf(subscription, "created", "paid"),
    { type: "checkout.updated", data: { ...checkout } },
  ];
  return { subscriptionId: subscription.id, told };
}

/** The period ends. A canceled subscription ends with it; any other is paid for the next period. */
export function renew(state: PolarState, id: string): Told[] {
  const subscription = known(state.subscriptions, id);
  if (subscription.cancel_at_period_end) return end(state, id);
  nextPeriod(subscription);
  Object.assign(subscription, { status: "active", past_due_at: null });
  return [...toldOf(subscription, "cycled", "updated"), ...orderOf(subscription, "created", "paid")];
}

/** The period ends, and the payment for the next one fails. */
export function failPayment(state: PolarState, id: string): Told[] {
  const subscription = known(state.subscriptions, id);
  nextPeriod(subscription);
  Object.assign(subscription, { status: "past_due", past_due_at: state.clock.now().toISOString() });
  return [...orderOf(subscription, "created"), ...toldOf(subscription, "past_due", "updated")];
}

/** Cancels at the end of the period, as the customer can in the portal and we can through the API. */
export function cancelAtPeriodEnd(state: PolarState, id: string): Told[] {
  const subscription = known(state.subscriptions, id);
  const { current_period_end: ends_at } = subscription;
  Object.assign(subscription, {
    cancel_at_period_end: true,
    canceled_at: state.clock.now().toISOString(),
    ends_at,
  });
  return toldOf(subscription, "updated", "canceled");
}

/** Withdraws the cancellation. */
export function uncancel(state: PolarState, id: string): Told[] {
  const subscription = known(state.subscriptions, id);
  Object.assign(subscription, { cancel_at_period_end: false, canceled_at: null, ends_at: null });
  return toldOf(subscription, "updated", "uncanceled");
}

/** Ends a subscription now. Polar does not reset `cancel_at_period_end`. */
export function end(state: PolarState, id: string): Told[] {
  const subscription = known(state.subscriptions, id);
  const now = state.clock.now().toISOString();
  const canceled_at = subscription.canceled_at ?? now;
  Object.assign(subscription, { status: "canceled", ended_at: now, ends_at: now, canceled_at });
  return toldOf(subscription, "updated", "revoked");
}

/** Returns the events about a subscription, with its current state. */
export function toldOf(subscription: models.Subscription, ...what: string[]): Told[] {
  return what.map((happened) => ({ type: `subscription.${happened}`, data: structuredClone(subscription) }));
}

function customerOf(state: PolarState, checkout: FakeCheckout): models.Customer {
  const {
    customer_id: id,
    external_customer_id: external_id,
    customer_email: email,
    customer_name: name,
  } = checkout;
  if (id !== null) return known(state.customers, id);
  if (email === null) throw new Error("The page asks for an e-mail address");
  // Polar attributes a purchase to the existing customer with the same address.
  const same = state.customers.find((customer) => customer.email === email);
  return same ?? addCustomer(state, { type: "individual", email, name, external_id, metadata: {} }, email);
}

function subscriptionOf(
  state: PolarState,
  checkout: FakeCheckout,
  customer: models.Customer,
): models.Subscription {
  const product = known(state.products, checkout.product_id);
  const now = state.clock.now().toISOString();
  const { recurring_interval, recurring_interval_count } = product;
  if (recurring_interval === null) throw new Error("It is bought once and for all");
  const count = recurring_interval_count ?? 1;
  const nothingYet = { trial_start: null, trial_end: null, canceled_at: null, ends_at: null, ended_at: null };
  return {
    id: randomUUID(),
    created_at: now,
    modified_at: null,
    amount: checkout.amount,
    currency: checkout.currency,
    recurring_interval,
    recurring_interval_count: count,
    status: "active",
    current_period_start: now,
    current_period_end: later(now, recurring_interval, count),
    current_meter_period_start: null,
    current_meter_period_end: null,
    ...nothingYet,
    cancel_at_period_end: false,
    started_at: now,
    past_due_at: null,
    pause_at_period_end: false,
    paused_at: null,
    resumes_at: null,
    customer_id: customer.id,
    product_id: product.id,
    discount_id: null,
    checkout_id: checkout.id,
    units: null,
    customer_cancellation_reason: null,
    customer_cancellation_comment: null,
    metadata: { ...checkout.metadata },
    customer: { ...customer },
    product,
    discount: null,
    prices: product.prices.filter(({ price_currency: currency }) => currency === checkout.currency),
    meters: [],
    pending_update: null,
  };
}

function nextPeriod(subscription: models.Subscription): void {
  const { current_period_end: start, recurring_interval, recurring_interval_count } = subscription;
  const current_period_end = later(start, recurring_interval, recurring_interval_count);
  Object.assign(subscription, { current_period_start: start, current_period_end });
}

function later(start: string, interval: Interval, count: number): string {
  const date = new Date(start);
  if (interval === "year") date.setUTCFullYear(date.getUTCFullYear() + count);
  else if (interval === "month") date.setUTCMonth(date.getUTCMonth() + count);
  else date.setUTCDate(date.getUTCDate() + count * (interval === "week" ? 7 : 1));
  return date.toISOString();
}

/** Builds the order of a period, which is what the customer pays. */
function orderOf({ customer, ...subscription }: models.Subscription, ...what: string[]): Told[] {
  const { id: subscription_id, metadata, checkout_id, customer_id, product_id } = subscription;
  const of = { subscription_id, metadata, checkout_id, customer_id, product_id };
  const id = randomUUID();
  return what.map((happened) => ({
    type: `order.${happened}`,
    data: { id, paid: happened === "paid", total_amount: subscription.amount, customer, subscription, ...of },
  }));
}
