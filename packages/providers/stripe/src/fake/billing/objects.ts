import type { Stripe } from "stripe";
import { nextId } from "../events.ts";
import type { Some } from "../objects.ts";

export type FakeProduct = Some<
  Stripe.Product,
  "id" | "object" | "active" | "created" | "description" | "livemode" | "metadata" | "name"
>;

export type FakePrice = Some<
  Stripe.Price,
  | ("id" | "object" | "active" | "billing_scheme" | "created" | "currency" | "livemode" | "metadata")
  | ("recurring" | "transform_quantity" | "type" | "unit_amount"),
  { product: string }
>;

export type FakeCustomer = Some<
  Stripe.Customer,
  "id" | "object" | "created" | "livemode" | "metadata",
  { email: string | null; name: string | null }
>;

export type FakeSession = Some<
  Stripe.Checkout.Session,
  | ("id" | "object" | "client_reference_id" | "created" | "customer_email" | "expires_at" | "livemode")
  | ("metadata" | "mode" | "payment_status" | "status" | "success_url" | "cancel_url" | "url"),
  { customer: string | null; subscription: string | null }
>;

type FakeItem = Some<
  Stripe.SubscriptionItem,
  "id" | "object" | "created" | "current_period_end" | "current_period_start" | "quantity" | "subscription",
  { price: FakePrice }
>;

export type FakeSubscription = Some<
  Stripe.Subscription,
  | ("id" | "object" | "cancel_at" | "cancel_at_period_end" | "canceled_at" | "collection_method" | "created")
  | ("currency" | "ended_at" | "livemode" | "metadata" | "start_date" | "status"),
  { customer: string; items: { object: "list"; data: FakeItem[]; has_more: boolean; url: string } }
>;

export function fakeProduct(fields: Partial<FakeProduct> = {}): FakeProduct {
  return {
    id: nextId("prod"),
    object: "product",
    active: true,
    created: 1_767_225_600,
    description: null,
    livemode: false,
    metadata: {},
    name: "Team",
    ...fields,
  };
}

type Recurring = NonNullable<FakePrice["recurring"]>;

export function fakeRecurring(fields: Partial<Recurring> = {}): Recurring {
  const defaults = { interval_count: 1, meter: null, trial_period_days: null, usage_type: "licensed" };
  return { interval: "month", ...defaults, ...fields };
}

export function fakePrice(fields: Partial<FakePrice> & { product: string }): FakePrice {
  return {
    id: nextId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: 1_767_225_600,
    currency: "eur",
    livemode: false,
    metadata: {},
    recurring: fakeRecurring(),
    transform_quantity: null,
    type: "recurring",
    unit_amount: 2900,
    ...fields,
  };
}

/** A subscription whose first period begins now. */
export function fakeSubscription(
  bought: { customer: string; price: FakePrice; metadata: Stripe.Metadata },
  now: number,
): FakeSubscription {
  const { customer, price, metadata } = bought;
  const id = nextId("sub");
  const item: FakeItem = {
    id: nextId("si"),
    object: "subscription_item",
    created: now,
    current_period_start: now,
    current_period_end: periodEnd(price, now),
    price,
    quantity: 1,
    subscription: id,
  };
  return {
    id,
    object: "subscription",
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: "charge_automatically",
    created: now,
    currency: price.currency,
    customer,
    ended_at: null,
    items: {
      object: "list",
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    livemode: false,
    metadata,
    start_date: now,
    status: "active",
  };
}

/** Returns the end of a period. `start` is in seconds since 1970. */
export function periodEnd({ recurring }: FakePrice, start: number): number {
  const { interval, interval_count: count } = recurring ?? fakeRecurring();
  const end = new Date(start * 1000);
  if (interval === "year") end.setUTCFullYear(end.getUTCFullYear() + count);
  else if (interval === "month") end.setUTCMonth(end.getUTCMonth() + count);
  else end.setUTCDate(end.getUTCDate() + count * (interval === "week" ? 7 : 1));
  return end.getTime() / 1000;
}

/** The invoice of a subscription's current period. */
export function fakeInvoice(
  { id, customer, currency, items, metadata }: FakeSubscription,
  status: "paid" | "open",
  now: number,
) {
  const total = items.data.reduce((sum, { price }) => sum + (price.unit_amount ?? 0), 0);
  const subscription_details = { metadata, subscription: id };
  return {
    id: nextId("in"),
    object: "invoice",
    attempt_count: 1,
    created: now,
    currency,
    customer,
    livemode: false,
    metadata: {},
    parent: { quote_details: null, subscription_details, type: "subscription_details" },
    status,
    total,
  };
}
