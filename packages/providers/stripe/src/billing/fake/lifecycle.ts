import { type FakeEvent, eventOf, nextId } from "../../fake/events.ts";
import { sessionOf, shown } from "./checkouts.ts";
import { type FakeSubscription, fakeInvoice, fakeSubscription, periodEnd } from "./objects.ts";
import { type FakeState, secondsOf } from "./state.ts";
import { subscriptionOf } from "./subscriptions.ts";

/** An event of this moment. */
export function fakeEvent(state: Pick<FakeState, "clock">, type: string, object: object, previous?: object) {
  return eventOf(secondsOf(state), type, object, previous);
}

/** Somebody pays in a session: customer, subscription, first invoice. */
export function complete(state: FakeState, reference: string) {
  const session = sessionOf(state, reference);
  if (session.status !== "open") throw new Error(`The checkout session is ${session.status}: nobody can pay`);
  const now = secondsOf(state);
  const customer = session.customer ?? nextId("cus");
  if (!state.customers.has(customer)) {
    const { customer_email: email } = session;
    const plain = { object: "customer", created: now, livemode: false, metadata: {}, name: null } as const;
    state.customers.set(customer, { ...plain, id: customer, email });
  }
  const subscription = fakeSubscription({ customer, ...session.buys }, now);
  const { id } = subscription;
  state.subscriptions.set(id, subscription);
  Object.assign(session, {
    customer,
    subscription: id,
    status: "complete",
    payment_status: "paid",
    url: null,
  });
  const events = [
    fakeEvent(state, "customer.subscription.created", { ...subscription, status: "incomplete" }),
    fakeEvent(state, "invoice.paid", fakeInvoice(subscription, "paid", now)),
    fakeEvent(state, "customer.subscription.updated", subscription, { status: "incomplete" }),
    fakeEvent(state, "checkout.session.completed", shown(session)),
  ];
  return { subscriptionId: id, events };
}

/** Changes a subscription, as whoever works at Stripe's dashboard can. */
export function put(state: FakeState, id: string, changes: Partial<FakeSubscription>): FakeEvent {
  const subscription = subscriptionOf(state, id);
  const before = structuredClone(subscription);
  Object.assign(subscription, changes);
  const previous = Object.fromEntries(
    Object.keys(changes).map((key) => [key, before[key as keyof typeof before]]),
  );
  return fakeEvent(state, "customer.subscription.updated", subscription, previous);
}

/** The next period begins, for which the customer pays or does not. */
export function beginPeriod(state: FakeState, id: string, isPaid: boolean): FakeEvent[] {
  const { items } = subscriptionOf(state, id);
  const data = items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(item.price, item.current_period_end),
  }));
  const updated = put(state, id, { items: { ...items, data }, status: isPaid ? "active" : "past_due" });
  const invoice = fakeInvoice(subscriptionOf(state, id), isPaid ? "paid" : "open", secondsOf(state));
  return [fakeEvent(state, isPaid ? "invoice.paid" : "invoice.payment_failed", invoice), updated];
}

/** The customer cancels in the portal, which sets the date and not the flag. */
export function cancelInPortal(state: FakeState, id: string): FakeEvent[] {
  const { items } = subscriptionOf(state, id);
  const lastMoment = Math.min(...items.data.map((item) => item.current_period_end));
  return [put(state, id, { cancel_at: lastMoment, canceled_at: secondsOf(state) })];
}

/** The subscription is over. What was set to end it stays. */
export function end(state: FakeState, id: string): FakeEvent[] {
  const now = secondsOf(state);
  const subscription = subscriptionOf(state, id);
  Object.assign(subscription, {
    status: "canceled",
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
  });
  return [fakeEvent(state, "customer.subscription.deleted", subscription)];
}
