import type { Clock } from "@purser/core";

/** Paddle's times have microseconds. */
export function timestamp(at: Date): string {
  return at.toISOString().replace("Z", "456Z");
}

interface Cycle {
  interval: string;
  frequency: number;
}

export interface Period {
  starts_at: string;
  ends_at: string;
}

/** Returns the billing period that starts at an instant. */
export function periodFrom(starts_at: string, { interval, frequency }: Cycle): Period {
  const end = new Date(starts_at);
  if (interval === "day" || interval === "week")
    end.setUTCDate(end.getUTCDate() + frequency * (interval === "week" ? 7 : 1));
  else end.setUTCMonth(end.getUTCMonth() + frequency * (interval === "year" ? 12 : 1));
  return { starts_at, ends_at: timestamp(end) };
}

const longAgo = { created_at: "2025-06-01T12:00:00.123456Z", updated_at: "2025-06-01T12:00:00.123456Z" };

export function newProduct(id: string, name: string) {
  return {
    id,
    name,
    type: "standard",
    description: null as string | null,
    tax_category: "saas",
    image_url: null,
    custom_data: null,
    status: "active",
    import_meta: null,
    ...longAgo,
  };
}

export type FakePaddleProduct = ReturnType<typeof newProduct>;

export function newPrice(id: string, { id: product_id }: Pick<FakePaddleProduct, "id">) {
  return {
    id,
    product_id,
    type: "standard",
    name: null,
    description: "From the catalog",
    billing_cycle: { interval: "month", frequency: 1 } as Cycle | null,
    trial_period: null as (Cycle & { requires_payment_method: boolean }) | null,
    tax_mode: "account_setting",
    unit_price: { amount: "2900", currency_code: "EUR" },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    custom_data: null,
    status: "active",
    import_meta: null,
    ...longAgo,
  };
}

export type FakePaddlePrice = ReturnType<typeof newPrice>;

export function newCustomer(id: string, email: string, at: string) {
  return {
    id,
    email,
    name: null as string | null,
    marketing_consent: false,
    status: "active",
    custom_data: null as object | null,
    locale: "en",
    import_meta: null,
    created_at: at,
    updated_at: at,
  };
}

export type FakePaddleCustomer = ReturnType<typeof newCustomer>;

interface Purchase {
  customer_id: string | null;
  custom_data: object | null;
  checkout: { url: string };
  items: { price: FakePaddlePrice; quantity: number }[];
}

export function newTransaction(
  id: string,
  { customer_id, custom_data, checkout, items }: Purchase,
  at: string,
) {
  return {
    id,
    // Null until the customer enters an address on the page.
    status: "draft",
    customer_id,
    address_id: null as string | null,
    business_id: null,
    custom_data,
    currency_code: items[0]!.price.unit_price.currency_code,
    origin: "api",
    subscription_id: null as string | null,
    invoice_id: null,
    invoice_number: null,
    collection_mode: "automatic",
    discount_id: null,
    billing_details: null,
    billing_period: null as Period | null,
    items: items.map((item) => ({ ...item, proration: null })),
    details: null,
    payments: [],
    checkout,
    created_at: at,
    updated_at: at,
    billed_at: null as string | null,
    revised_at: null,
  };
}

export type FakePaddleTransaction = ReturnType<typeof newTransaction>;

interface ScheduledChange {
  action: string;
  effective_at: string;
  resume_at: string | null;
}

/** Builds the subscription that a paid transaction creates. */
export function newSubscription(
  id: string,
  { customer_id, address_id, custom_data, currency_code, items }: FakePaddleTransaction,
  product: FakePaddleProduct,
  clock: Clock,
) {
  const { price, quantity } = items[0]!;
  const at = timestamp(clock.now());
  const period = periodFrom(at, price.trial_period ?? price.billing_cycle!);
  const isTrial = price.trial_period !== null;
  const billedAt = isTrial ? null : at;
  const item = {
    status: isTrial ? "trialing" : "active",
    quantity,
    recurring: true,
    created_at: at,
    updated_at: at,
    previously_billed_at: billedAt,
    next_billed_at: period.ends_at as string | null,
    trial_dates: isTrial ? period : null,
    price,
    product,
  };
  return {
    id,
    status: item.status,
    customer_id: customer_id!,
    address_id,
    business_id: null,
    currency_code,
    created_at: at,
    updated_at: at,
    started_at: at as string | null,
    first_billed_at: billedAt,
    next_billed_at: period.ends_at as string | null,
    paused_at: null as string | null,
    canceled_at: null as string | null,
    discount: null,
    collection_mode: "automatic",
    billing_details: null,
    current_billing_period: period as Period | null,
    billing_cycle: price.billing_cycle,
    scheduled_change: null as ScheduledChange | null,
    management_urls: {
      update_payment_method: `https://buyer-portal.paddle.com/subscriptions/${id}/update-payment-method?token=pga_1`,
      cancel: `https://buyer-portal.paddle.com/subscriptions/${id}/cancel?token=pga_1`,
    },
    items: [item],
    custom_data,
    import_meta: null,
  };
}

export type FakePaddleSubscription = ReturnType<typeof newSubscription>;
