import type { Stripe } from "stripe";
import { nextId } from "../events.ts";
import type { OnTheWire } from "../objects.ts";
import type { FakeSubscription } from "./objects.ts";

export type FakeInvoice = OnTheWire<Stripe.Invoice>;

/** The invoice of a subscription's current period. */
export function fakeInvoice(
  { id, customer, currency, items, metadata }: FakeSubscription,
  status: "paid" | "open" | "draft",
  now: number,
): FakeInvoice {
  const total = items.data.reduce((sum, { price }) => sum + (price.unit_amount ?? 0), 0);
  const invoice = nextId("in");
  const paid = status === "paid" ? total : 0;
  return {
    ...nothing,
    id: invoice,
    amount_due: total,
    amount_paid: paid,
    amount_remaining: total - paid,
    attempted: status !== "draft",
    created: now,
    currency,
    customer,
    lines: { object: "list", data: [], has_more: false, url: `/v1/invoices/${invoice}/lines` },
    parent: {
      quote_details: null,
      subscription_details: { metadata, subscription: id },
      type: "subscription_details",
    },
    period_end: now,
    period_start: now,
    status,
    status_transitions: {
      finalized_at: status === "draft" ? null : now,
      marked_uncollectible_at: null,
      paid_at: status === "paid" ? now : null,
      voided_at: null,
    },
    subtotal: total,
    total,
  };
}

/** The default fields of an invoice. */
const nothing = {
  object: "invoice",
  account_country: "IE",
  account_name: "Purser",
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 1,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  billing_reason: "subscription_cycle",
  collection_method: "charge_automatically",
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: "none",
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  issuer: { type: "self" },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  subtotal_excluding_tax: null,
  test_clock: null,
  total_discount_amounts: null,
  total_excluding_tax: null,
  total_pretax_credit_amounts: null,
  total_taxes: null,
  webhooks_delivered_at: null,
} satisfies Partial<FakeInvoice>;
