import type {
  ICustomerResponse,
  IPriceResponse,
  IProductResponse,
  ISubscriptionResponse,
  ISubscriptionTimePeriodResponse,
  ITimePeriod,
  ITransactionItemResponse,
  ITransactionResponse,
} from "@paddle/paddle-node-sdk";
import type { Clock } from "@purser/core";

/** Paddle's times have microseconds. */
export function timestamp(at: Date): string {
  return at.toISOString().replace("Z", "456Z");
}

/** Every field of an SDK type is set, except those that only an `include` or a preview adds. */
type Whole<Entity, Added extends keyof Entity = never> = Required<Omit<Entity, Added>>;

export type FakePaddleProduct = Whole<IProductResponse, "prices">;
export type FakePaddlePrice = Whole<IPriceResponse, "product">;
export type FakePaddleCustomer = Whole<ICustomerResponse>;
/** A transaction of ours names whole prices. */
type Item = Omit<ITransactionItemResponse, "price" | "price_id"> & { price: FakePaddlePrice };
export type FakePaddleTransaction = Omit<
  Whole<
    ITransactionResponse,
    | ("address" | "adjustments" | "adjustments_totals" | "business" | "customer" | "discount")
    | ("available_payment_methods" | "details")
  >,
  "items"
> & { items: Item[] };
type SubscriptionItem = Whole<Omit<ISubscriptionResponse["items"][number], "price">> & {
  price: FakePaddlePrice;
};
export type FakePaddleSubscription = Omit<
  Whole<ISubscriptionResponse, "next_transaction" | "recurring_transaction_details">,
  "items"
> & { items: SubscriptionItem[] };

/** Returns the billing period that starts at an instant. */
export function periodFrom(
  starts_at: string,
  { interval, frequency }: ITimePeriod,
): ISubscriptionTimePeriodResponse {
  const end = new Date(starts_at);
  if (interval === "day" || interval === "week")
    end.setUTCDate(end.getUTCDate() + frequency * (interval === "week" ? 7 : 1));
  else end.setUTCMonth(end.getUTCMonth() + frequency * (interval === "year" ? 12 : 1));
  return { starts_at, ends_at: timestamp(end) };
}

const longAgo = { created_at: "2025-06-01T12:00:00.123456Z", updated_at: "2025-06-01T12:00:00.123456Z" };

export function newProduct(id: string, name: string): FakePaddleProduct {
  return {
    id,
    name,
    type: "standard",
    description: null,
    tax_category: "saas",
    image_url: null,
    custom_data: null,
    status: "active",
    import_meta: null,
    ...longAgo,
  };
}

export function newPrice(id: string, { id: product_id }: Pick<FakePaddleProduct, "id">): FakePaddlePrice {
  return {
    id,
    product_id,
    type: "standard",
    name: null,
    description: "From the catalog",
    billing_cycle: { interval: "month", frequency: 1 },
    trial_period: null,
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

export function newCustomer(id: string, email: string, at: string): FakePaddleCustomer {
  return {
    id,
    email,
    name: null,
    marketing_consent: false,
    status: "active",
    custom_data: null,
    locale: "en",
    import_meta: null,
    created_at: at,
    updated_at: at,
  };
}

interface Purchase extends Pick<FakePaddleTransaction, "customer_id" | "custom_data"> {
  checkout: { url: string };
  items: { price: FakePaddlePrice; quantity: number }[];
}

export function newTransaction(
  id: string,
  { customer_id, custom_data, checkout, items }: Purchase,
  at: string,
): FakePaddleTransaction {
  return {
    id,
    // Null until the customer enters an address on the page.
    status: "draft",
    customer_id,
    address_id: null,
    business_id: null,
    custom_data,
    currency_code: items[0]!.price.unit_price.currency_code,
    origin: "api",
    subscription_id: null,
    invoice_id: null,
    invoice_number: null,
    collection_mode: "automatic",
    discount_id: null,
    billing_details: null,
    billing_period: null,
    items: items.map((item) => ({ ...item, proration: null })),
    payments: [],
    checkout,
    created_at: at,
    updated_at: at,
    billed_at: null,
    revised_at: null,
  };
}

/** Builds the subscription that a paid transaction creates. */
export function newSubscription(
  id: string,
  { customer_id, address_id, custom_data, currency_code, items }: FakePaddleTransaction,
  product: FakePaddleProduct,
  clock: Clock,
): FakePaddleSubscription {
  const { price, quantity } = items[0]!;
  const at = timestamp(clock.now());
  const period = periodFrom(at, price.trial_period ?? price.billing_cycle!);
  const isTrial = price.trial_period !== null;
  const billedAt = isTrial ? null : at;
  const status = isTrial ? "trialing" : "active";
  const item: SubscriptionItem = {
    status,
    quantity,
    recurring: true,
    created_at: at,
    updated_at: at,
    previously_billed_at: billedAt,
    next_billed_at: period.ends_at,
    trial_dates: isTrial ? period : null,
    price,
    product,
  };
  return {
    id,
    status,
    customer_id: customer_id!,
    address_id: address_id!,
    business_id: null,
    currency_code,
    created_at: at,
    updated_at: at,
    started_at: at,
    first_billed_at: billedAt,
    next_billed_at: period.ends_at,
    paused_at: null,
    canceled_at: null,
    discount: null,
    collection_mode: "automatic",
    billing_details: null,
    current_billing_period: period,
    billing_cycle: price.billing_cycle!,
    scheduled_change: null,
    management_urls: {
      update_payment_method: `https://buyer-portal.paddle.com/subscriptions/${id}/update-payment-method?token=pga_1`,
      cancel: `https://buyer-portal.paddle.com/subscriptions/${id}/cancel?token=pga_1`,
    },
    items: [item],
    custom_data,
    import_meta: null,
  };
}
