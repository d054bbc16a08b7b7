import type { Stripe } from "stripe";
import { nextId } from "../events.ts";
import type { OnTheWire } from "../objects.ts";

export type FakeProduct = OnTheWire<Stripe.Product>;

export type FakePrice = OnTheWire<Stripe.Price, { product: string; unit_amount_decimal: string | null }>;

type FakePlan = OnTheWire<Stripe.Plan, { product: string; amount_decimal: string | null }>;

export type FakeCustomer = OnTheWire<Stripe.Customer, { name: string | null }>;

export type FakeSession = OnTheWire<
  Stripe.Checkout.Session,
  { customer: string | null; subscription: string | null }
>;

type FakeItem = OnTheWire<Stripe.SubscriptionItem, { price: FakePrice; plan: FakePlan }>;

export type FakeSubscription = OnTheWire<
  Stripe.Subscription,
  {
    customer: string;
    items: { object: "list"; data: FakeItem[]; has_more: boolean; url: string };
    latest_invoice: string | null;
    schedule: string | null;
  }
>;

export function fakeProduct(fields: Partial<FakeProduct> = {}): FakeProduct {
  return {
    id: nextId("prod"),
    object: "product",
    active: true,
    created: 1_767_225_600,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: "Team",
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: "service",
    updated: 1_767_225_600,
    url: null,
    ...fields,
  };
}

type Recurring = NonNullable<FakePrice["recurring"]>;

export function fakeRecurring(fields: Partial<Recurring> = {}): Recurring {
  const defaults = { interval_count: 1, meter: null, trial_period_days: null, usage_type: "licensed" };
  return { interval: "month", ...defaults, ...fields };
}

export function fakePrice(fields: Partial<FakePrice> & { product: string }): FakePrice {
  const { unit_amount = 2900 } = fields;
  return {
    id: nextId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: 1_767_225_600,
    currency: "eur",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    recurring: fakeRecurring(),
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount,
    unit_amount_decimal: unit_amount === null ? null : String(unit_amount),
    ...fields,
  };
}

/** The price in the form that came before prices. Stripe still sends both. */
function planOf({ recurring, unit_amount, unit_amount_decimal, ...price }: FakePrice): FakePlan {
  const { id, active, billing_scheme, created, currency, livemode, metadata, nickname, product } = price;
  return {
    id,
    object: "plan",
    active,
    amount: unit_amount,
    amount_decimal: unit_amount_decimal,
    billing_scheme,
    created,
    currency,
    ...(recurring ?? fakeRecurring()),
    livemode,
    metadata,
    nickname,
    product,
    tiers_mode: null,
    transform_usage: null,
  };
}

/** A customer without anything but a name and an address for mail. */
export function fakeCustomer(
  fields: Pick<FakeCustomer, "id" | "email" | "name" | "created"> & { metadata?: Stripe.Metadata },
): FakeCustomer {
  return {
    object: "customer",
    address: null,
    balance: 0,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    invoice_prefix: "B4F0C1D2",
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
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
    billing_thresholds: null,
    created: now,
    current_period_start: now,
    current_period_end: fakePeriodEnd(price, now),
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription: id,
    tax_rates: [],
  };
  return {
    ...nothing,
    id,
    billing_cycle_anchor: now,
    created: now,
    currency: price.currency,
    customer,
    items: {
      object: "list",
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata,
    start_date: now,
  };
}

/** The default fields of a new subscription. */
const nothing = {
  object: "subscription",
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: "classic" },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: "charge_automatically",
  customer_account: null,
  days_until_due: null,
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: "self" },
  },
  latest_invoice: null,
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  status: "active",
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: {
    end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" },
  },
  trial_start: null,
} satisfies Partial<FakeSubscription>;

/** Returns the end of a period. `start` is in seconds since 1970. */
export function fakePeriodEnd({ recurring }: FakePrice, start: number): number {
  const { interval, interval_count: count } = recurring ?? fakeRecurring();
  const end = new Date(start * 1000);
  if (interval === "year") end.setUTCFullYear(end.getUTCFullYear() + count);
  else if (interval === "month") end.setUTCMonth(end.getUTCMonth() + count);
  else end.setUTCDate(end.getUTCDate() + count * (interval === "week" ? 7 : 1));
  return end.getTime() / 1000;
}
