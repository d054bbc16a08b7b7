import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import type { PolarEvent } from "./events.ts";
import { orderOf } from "./orders.ts";
import { type PolarState, addCustomer, requireResource } from "./state.ts";

type Interval = models.RecurringInterval;

/** A customer pays: the checkout succeeds and creates a subscription, which inherits its metadata. */
export function completeFakeCheckout(
  state: PolarState,
  reference: string,
): { subscriptionId: string; events: PolarEvent[] } {
  const checkout = requireResource(state.checkouts, reference);
  const now = state.clock.now().toISOString();
  if (checkout.status !== "open" || checkout.expires_at <= now)
    throw new Error("The checkout cannot be paid anymore");
  const customer = customerOf(state, checkout);
  const subscription = subscriptionOf(state, checkout, customer);
  state.subscriptions.unshift(subscription);
  Object.assign(checkout, { status: "succeeded", customer_id: customer.id });
  const events: PolarEvent[] = [
    ...eventsOf(subscription, "created", "active", "updated"),
    ...orderEvents(subscription, "created", "paid"),
    { type: "checkout.updated", data: { ...checkout } },
  ];
  return { subscriptionId: subscription.id, events };
}

/** The period ends. A canceled subscription ends with it; any other is paid for the next period. */
export function renewFakeSubscription(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  if (subscription.cancel_at_period_end) return endFakeSubscription(state, id);
  nextPeriod(subscription);
  Object.assign(subscription, { status: "active", past_due_at: null });
  return [...eventsOf(subscription, "cycled", "updated"), ...orderEvents(subscription, "created", "paid")];
}

/** The period ends, and the payment for the next one fails. */
export function failFakePayment(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  nextPeriod(subscription);
  Object.assign(subscription, { status: "past_due", past_due_at: state.clock.now().toISOString() });
  return [...orderEvents(subscription, "created"), ...eventsOf(subscription, "past_due", "updated")];
}

/** Cancels at the end of the period, as the customer can in the portal and we can through the API. */
export function scheduleFakeCancellation(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  const { current_period_end: ends_at } = subscription;
  Object.assign(subscription, {
    cancel_at_period_end: true,
    canceled_at: state.clock.now().toISOString(),
    ends_at,
    // A cancellation withdraws a scheduled pause: https://github.com/polarsource/polar/pull/13691.
    pause_at_period_end: false,
    resumes_at: null,
  });
  return eventsOf(subscription, "updated", "canceled");
}

/** Withdraws the cancellation. */
export function withdrawFakeCancellation(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  Object.assign(subscription, { cancel_at_period_end: false, canceled_at: null, ends_at: null });
  return eventsOf(subscription, "updated", "uncanceled");
}

/** Pauses a subscription at once. API version 2026-10 has no event type of its own for it. */
export function pauseFakePolarSubscription(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  Object.assign(subscription, { status: "paused", paused_at: state.clock.now().toISOString() });
  return eventsOf(subscription, "updated");
}

/** Schedules a pause for the end of the period, as the customer can in the portal. */
export function scheduleFakePause(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  Object.assign(subscription, { pause_at_period_end: true });
  return eventsOf(subscription, "updated");
}

/** Ends a subscription now. Polar does not reset `cancel_at_period_end`. */
export function endFakeSubscription(state: PolarState, id: string): PolarEvent[] {
  const subscription = requireResource(state.subscriptions, id);
  const now = state.clock.now().toISOString();
  const canceled_at = subscription.canceled_at ?? now;
  Object.assign(subscription, { status: "canceled", ended_at: now, ends_at: now, canceled_at });
  return eventsOf(subscription, "updated", "revoked");
}

/** Deletes a customer, as the seller can. Its subscriptions end, and a request that names it is refused. */
export function deleteFakeCustomer(state: PolarState, id: string): PolarEvent[] {
  const { customers, subscriptions } = state;
  customers.splice(customers.indexOf(requireResource(customers, id)), 1);
  const bought = subscriptions.filter((one) => one.customer_id === id && one.ended_at === null);
  return bought.flatMap((one) => endFakeSubscription(state, one.id));
}

type Change =
  | "created"
  | "active"
  | "updated"
  | "cycled"
  | "past_due"
  | "canceled"
  | "uncanceled"
  | "revoked";

/** Returns the events about a subscription, with its current state. */
export function eventsOf(subscription: models.Subscription, ...changes: Change[]): PolarEvent[] {
  return changes.map((change) => ({ type: `subscription.${change}`, data: structuredClone(subscription) }));
}

function customerOf(state: PolarState, checkout: models.Checkout): models.Customer {
  const {
    customer_id: id,
    external_customer_id: external_id,
    customer_email: email,
    customer_name: name,
  } = checkout;
  if (id !== null) return requireResource(state.customers, id);
  if (email === null) throw new Error("The page requires an e-mail address");
  // Polar attributes a purchase to the existing customer with the same address.
  const same = state.customers.find((customer) => customer.email === email);
  return same ?? addCustomer(state, { type: "individual", email, name, external_id, metadata: {} }, email);
}

function subscriptionOf(
  state: PolarState,
  checkout: models.Checkout,
  customer: models.Customer,
): models.Subscription {
  const product = requireResource(state.products, checkout.product_id);
  const now = state.clock.now().toISOString();
  const { recurring_interval, recurring_interval_count } = product;
  if (recurring_interval === null) throw new Error("The product is not a subscription");
  const count = recurring_interval_count ?? 1;
  const unset = { trial_start: null, trial_end: null, canceled_at: null, ends_at: null, ended_at: null };
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
    ...unset,
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

/** Returns the events about the order of a period, which is what the customer pays. */
function orderEvents(subscription: models.Subscription, ...changes: ("created" | "paid")[]): PolarEvent[] {
  const order = orderOf(subscription);
  return changes.map((change) => ({
    type: `order.${change}`,
    data: change === "paid" ? { ...order, status: "paid", paid: true } : order,
  }));
}
