import type { Order, SubscriptionInvoice } from "@lemonsqueezy/lemonsqueezy.js";
import { formatted, linked, orderIdOf } from "./resources.ts";
import {
  type FakeLemonSqueezySubscription,
  type LemonSqueezyState,
  longAgo,
  priceIdOf,
  stamp,
} from "./state.ts";

/** What was paid: its money and its texts. The adapter reads none of them. */
const paid = {
  currency: "EUR",
  currency_rate: "1.08",
  subtotal: 900,
  discount_total: 0,
  tax: 0,
  tax_inclusive: false,
  total: 900,
  refunded: false,
  refunded_at: null,
  refunded_amount: 0,
  refunded_amount_usd: 0,
  refunded_amount_formatted: "€0.00",
  subtotal_usd: 972,
  discount_total_usd: 0,
  tax_usd: 0,
  total_usd: 972,
  subtotal_formatted: "€9.00",
  discount_total_formatted: "€0.00",
  tax_formatted: "€0.00",
  total_formatted: "€9.00",
  test_mode: true,
} as const;

export function orderResource(
  { variants }: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): Order["data"] {
  const { store_id, customer_id, variantId, email } = subscription;
  const id = orderIdOf(subscription);
  const variant = variants.find((one) => one.id === variantId);
  const { resource, to } = linked("orders", id);
  return {
    ...resource,
    attributes: {
      ...paid,
      store_id,
      customer_id,
      identifier: "636f855c-1fb9-4c07-b75c-3a10afef010a",
      order_number: 1,
      user_name: "Ada",
      user_email: email,
      setup_fee: 0,
      setup_fee_usd: 0,
      setup_fee_formatted: "€0.00",
      tax_name: null,
      tax_rate: "0.00",
      status: "paid",
      status_formatted: "Paid",
      first_order_item: {
        id,
        order_id: id,
        product_id: variant?.product_id ?? 0,
        variant_id: variantId,
        price_id: priceIdOf(variantId),
        quantity: 1,
        product_name: "Team",
        variant_name: variant?.name ?? "",
        price: 900,
        test_mode: true,
        ...longAgo,
      },
      urls: { receipt: `https://app.lemonsqueezy.com/my-orders/${id}` },
      ...longAgo,
    },
    relationships: {
      store: to("store"),
      customer: to("customer"),
      "order-items": to("order-items"),
      subscriptions: to("subscriptions"),
      "license-keys": to("license-keys"),
      "discount-redemptions": to("discount-redemptions"),
    },
  };
}

export function invoiceResource(
  { clock }: LemonSqueezyState,
  { store_id, customer_id, email, status: before, id: subscription_id }: FakeLemonSqueezySubscription,
  { id, reason: billing_reason }: { id: number; reason: "initial" | "renewal" },
): SubscriptionInvoice["data"] {
  const status = before === "past_due" ? "pending" : "paid";
  const at = stamp(clock.now());
  const { resource, to } = linked("subscription-invoices", id);
  return {
    ...resource,
    attributes: {
      ...paid,
      store_id,
      subscription_id,
      customer_id,
      user_name: "Ada",
      user_email: email,
      billing_reason,
      card_brand: "visa",
      card_last_four: "4242",
      status,
      status_formatted: formatted(status),
      urls: { invoice_url: null },
      created_at: at,
      updated_at: at,
    },
    relationships: { store: to("store"), subscription: to("subscription"), customer: to("customer") },
  };
}
