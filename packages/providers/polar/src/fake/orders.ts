import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";

/** The order of a subscription's current period, before it is paid. */
export function orderOf(subscription: models.Subscription): models.Order {
  const {
    customer,
    product,
    prices: _prices,
    meters: _meters,
    pending_update: _update,
    ...shown
  } = subscription;
  const { discount: _discount, custom_field_data: _fields, ...of } = shown;
  const { amount, currency, customer_id, product_id, checkout_id, metadata } = subscription;
  const {
    prices: _productPrices,
    benefits: _benefits,
    medias: _medias,
    attached_custom_fields: _attached,
    is_deletable: _deletable,
    ...sold
  } = product;
  return {
    id: randomUUID(),
    created_at: subscription.created_at,
    modified_at: null,
    status: "pending",
    paid: false,
    subtotal_amount: amount,
    discount_amount: 0,
    net_amount: amount,
    tax_amount: 0,
    total_amount: amount,
    applied_balance_amount: 0,
    due_amount: amount,
    refunded_amount: 0,
    refunded_tax_amount: 0,
    currency,
    billing_reason: "subscription_cycle",
    billing_name: null,
    billing_address: null,
    invoice_number: null,
    is_invoice_generated: false,
    receipt_number: null,
    units: null,
    customer_id,
    product_id,
    discount_id: null,
    subscription_id: subscription.id,
    checkout_id,
    metadata,
    platform_fee_amount: 0,
    platform_fee_currency: null,
    customer,
    product: sold,
    discount: null,
    subscription: of,
    items: [],
    description: product.name,
    refundable_amount: 0,
    refundable_tax_amount: 0,
  };
}
