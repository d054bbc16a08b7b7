import { type FakeEvent, eventOf, nextId } from "../events.ts";
import { sessionOf, shownSession } from "./checkouts.ts";
import { type FakeInvoice, fakeInvoice } from "./invoices.ts";
import { type FakeSubscription, fakeCustomer, fakeSubscription, fakePeriodEnd } from "./objects.ts";
import { type BillingState, secondsOf } from "./state.ts";
import { subscriptionOf } from "./subscriptions.ts";

/** An event that happens now. */
export function billingEvent(
  state: Pick<BillingState, "clock">,
  type: string,
  object: object,
  previous?: object,
) {
  return eventOf(secondsOf(state), type, object, previous);
}

/** A customer pays: creates the customer, the subscription and the first invoice. */
export function completeSession(state: BillingState, reference: string) {
  const session = sessionOf(state, reference);
  if (session.status !== "open") throw new Error(`The checkout session is ${session.status}, not open`);
  const now = secondsOf(state);
  const customer = session.customer ?? nextId("cus");
  if (!state.customers.has(customer)) {
    const { customer_email: email } = session;
    state.customers.set(customer, fakeCustomer({ id: customer, email, name: null, created: now }));
  }
  const subscription = fakeSubscription({ customer, ...session.buys }, now);
  const { id } = subscription;
  state.subscriptions.set(id, subscription);
  const invoice = issueInvoice(state, subscription, "paid");
  Object.assign(session, {
    customer,
    subscription: id,
    status: "complete",
    payment_status: "paid",
    url: null,
  });
  const events = [
    billingEvent(state, "customer.subscription.created", { ...subscription, status: "incomplete" }),
    billingEvent(state, "invoice.paid", invoice),
    billingEvent(state, "customer.subscription.updated", subscription, { status: "incomplete" }),
    billingEvent(state, "checkout.session.completed", shownSession(session)),
  ];
  return { subscriptionId: id, events };
}

/** Changes a subscription as an operator does in the dashboard. */
export function putFakeSubscription(
  state: BillingState,
  id: string,
  changes: Partial<FakeSubscription>,
): FakeEvent {
  const subscription = subscriptionOf(state, id);
  const before = structuredClone(subscription);
  Object.assign(subscription, changes);
  const previous = Object.fromEntries(
    Object.keys(changes).map((key) => [key, before[key as keyof typeof before]]),
  );
  return billingEvent(state, "customer.subscription.updated", subscription, previous);
}

/** Pauses a subscription at once. */
export function pauseFakeStripeSubscription(
  state: BillingState,
  id: string,
  reason: "pause_requested" | "first_payment_failure",
): FakeEvent {
  const paused = {
    subscription: { type: reason },
    transitioned_at: secondsOf(state),
    type: "subscription",
  } as const;
  return putFakeSubscription(state, id, { status: "paused", status_details: { paused } });
}

function issueInvoice(
  state: BillingState,
  subscription: FakeSubscription,
  status: "paid" | "draft",
): FakeInvoice {
  const invoice = fakeInvoice(subscription, status, secondsOf(state));
  state.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  return invoice;
}

/** Begins the next period. Its invoice stays a draft, and the status as it is, until it is charged an hour later. */
export function beginPeriod(state: BillingState, id: string): FakeEvent {
  const subscription = subscriptionOf(state, id);
  const { items } = subscription;
  const data = items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: fakePeriodEnd(item.price, item.current_period_end),
  }));
  issueInvoice(state, subscription, "draft");
  return putFakeSubscription(state, id, { items: { ...items, data } });
}

/** Charges the latest invoice. The payment succeeds or fails. */
export function chargeInvoice(state: BillingState, id: string, isPaid: boolean): FakeEvent[] {
  const subscription = subscriptionOf(state, id);
  const invoice = {
    ...fakeInvoice(subscription, isPaid ? "paid" : "open", secondsOf(state)),
    id: subscription.latest_invoice!,
  };
  state.invoices.set(invoice.id, invoice);
  const updated = putFakeSubscription(state, id, { status: isPaid ? "active" : "past_due" });
  return [billingEvent(state, isPaid ? "invoice.paid" : "invoice.payment_failed", invoice), updated];
}

/** Cancels as the customer portal does: it sets the date and not the flag. */
export function cancelInPortal(state: BillingState, id: string): FakeEvent[] {
  const { items } = subscriptionOf(state, id);
  const periodEndsAt = Math.min(...items.data.map((item) => item.current_period_end));
  return [putFakeSubscription(state, id, { cancel_at: periodEndsAt, canceled_at: secondsOf(state) })];
}

/** Ends the subscription. The attributes that scheduled the cancellation stay set. */
export function endSubscription(state: BillingState, id: string): FakeEvent[] {
  const now = secondsOf(state);
  const subscription = subscriptionOf(state, id);
  Object.assign(subscription, {
    status: "canceled",
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
  });
  return [billingEvent(state, "customer.subscription.deleted", subscription)];
}
