import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import { dayMs } from "@purser/core";
import { type FakePolarPrice, sellerId } from "./catalog.ts";

interface Bought {
  product: models.Product;
  price: FakePolarPrice;
  currency: string;
}

/** An open checkout. */
export function checkoutOf(
  { product, price, currency }: Bought,
  now: Date,
  fields: Pick<
    models.Checkout,
    "customer_id" | "external_customer_id" | "customer_email" | "customer_name" | "metadata" | "success_url"
  > & { return_url: string },
): models.Checkout {
  const secret = `polar_c_${randomUUID()}`;
  const amount = price.amount_type === "fixed" ? price.price_amount : 0;
  const {
    metadata: _metadata,
    is_deletable: _deletable,
    attached_custom_fields: _fields,
    ...shown
  } = product;
  return {
    ...nothing,
    ...fields,
    id: randomUUID(),
    created_at: now.toISOString(),
    client_secret: secret,
    url: `https://sandbox.polar.sh/checkout/${secret}`,
    expires_at: new Date(now.getTime() + dayMs).toISOString(),
    amount,
    net_amount: amount,
    total_amount: amount,
    currency,
    product_id: product.id,
    product_price_id: price.id,
    products: [shown],
    product: shown,
    product_price: price,
    prices: { [product.id]: product.prices },
  };
}

/** The default fields of a checkout. */
const nothing = {
  modified_at: null,
  payment_processor: "stripe",
  status: "open",
  embed_origin: null,
  units: null,
  min_units: null,
  max_units: null,
  discount_amount: 0,
  tax_amount: null,
  tax_behavior: null,
  allow_trial: null,
  active_trial_interval: null,
  active_trial_interval_count: null,
  trial_end: null,
  organization_id: sellerId,
  discount_id: null,
  allow_discount_codes: true,
  require_billing_address: false,
  is_discount_applicable: true,
  is_free_product_price: false,
  is_payment_required: true,
  is_payment_setup_required: true,
  is_payment_form_required: true,
  is_business_customer: false,
  customer_ip_address: null,
  customer_billing_name: null,
  customer_billing_address: null,
  customer_tax_id: null,
  payment_method_type: null,
  payment_processor_metadata: {},
  billing_address_fields: {
    country: "required",
    state: "optional",
    city: "optional",
    postal_code: "optional",
    line1: "optional",
    line2: "optional",
  },
  trial_interval: null,
  trial_interval_count: null,
  discount: null,
  subscription_id: null,
  attached_custom_fields: null,
  customer_metadata: {},
} satisfies Partial<models.Checkout>;
