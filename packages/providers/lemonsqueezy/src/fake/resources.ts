import {
  type FakeLemonSqueezyCheckout,
  type LemonSqueezyState,
  type FakeLemonSqueezySubscription,
  type FakeLemonSqueezyVariant,
  stamp,
  storeId,
} from "./state.ts";

/** A JSON:API resource. */
export interface LemonSqueezyResource {
  type: string;
  id: string;
  attributes: object;
}

const times = { created_at: "2026-01-05T10:00:00.000000Z", updated_at: "2026-01-05T10:00:00.000000Z" };

export function storeResource({ id, currency }: LemonSqueezyState["stores"][number]): LemonSqueezyResource {
  const attributes = { name: "Purser", slug: "purser", currency, plan: "fresh", country: "IE", ...times };
  return { type: "stores", id: String(id), attributes };
}

export function productResource({
  id,
  ...product
}: LemonSqueezyState["products"][number]): LemonSqueezyResource {
  return { type: "products", id: String(id), attributes: { ...product, test_mode: true, ...times } };
}

/** Deprecated fields of variants, which moved to prices. */
export function variantResource({ id, price, ...variant }: FakeLemonSqueezyVariant): LemonSqueezyResource {
  const deprecated = {
    price: price.unit_price ?? 0,
    is_subscription: price.category === "subscription",
    interval: price.renewal_interval_unit,
    interval_count: price.renewal_interval_quantity,
  };
  return {
    type: "variants",
    id: String(id),
    attributes: { ...variant, ...deprecated, test_mode: true, ...times },
  };
}

export function priceResource({ id, price }: FakeLemonSqueezyVariant): LemonSqueezyResource {
  const attributes = { variant_id: id, ...price, package_size: 1, tiers: null, tax_code: "saas", ...times };
  return { type: "prices", id: String(id + 50_000), attributes };
}

export function checkoutResource({
  id,
  variantId,
  expiresAt,
  attributes,
  createdAt,
}: FakeLemonSqueezyCheckout): LemonSqueezyResource {
  const url = `https://purser.lemonsqueezy.com/checkout/custom/${id}?signature=5ca1ab1e`;
  return {
    type: "checkouts",
    id,
    attributes: {
      store_id: storeId,
      variant_id: variantId,
      ...attributes,
      expires_at: expiresAt && stamp(expiresAt),
      created_at: stamp(createdAt),
      url,
    },
  };
}

/** Lemon Squeezy sends custom data in webhooks only, so it is absent here. */
export function subscriptionResource(
  { variants }: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): LemonSqueezyResource {
  const { id, store_id, customer_id, variantId, email, status, pause, cancelled } = subscription;
  const variant = variants.find((one) => one.id === variantId);
  const portal = `https://purser.lemonsqueezy.com/billing?expires=1772528400&user=${customer_id}&signature=0ddba11`;
  return {
    type: "subscriptions",
    id: String(id),
    attributes: {
      store_id,
      customer_id,
      order_id: id + 1000,
      product_id: variant?.product_id,
      variant_id: variantId,
      variant_name: variant?.name,
      user_email: email,
      status,
      pause,
      cancelled,
      trial_ends_at: null,
      urls: { update_payment_method: portal, customer_portal: portal },
      renews_at: subscription.renewsAt && stamp(subscription.renewsAt),
      ends_at: subscription.endsAt && stamp(subscription.endsAt),
      created_at: stamp(subscription.createdAt),
      updated_at: stamp(subscription.updatedAt),
      test_mode: true,
    },
  };
}

/** The adapter reads only the subscription id of an order or invoice. */
export function orderResource({
  id,
  store_id,
  customer_id,
}: FakeLemonSqueezySubscription): LemonSqueezyResource {
  return { type: "orders", id: String(id + 1000), attributes: { store_id, customer_id, status: "paid" } };
}

export function invoiceResource(
  { clock }: LemonSqueezyState,
  { store_id, customer_id, status, id: subscription_id }: FakeLemonSqueezySubscription,
  { id, reason: billing_reason }: { id: number; reason: string },
): LemonSqueezyResource {
  const paid = status === "past_due" ? "pending" : "paid";
  const created_at = stamp(clock.now());
  const attributes = { store_id, customer_id, subscription_id, billing_reason, status: paid, created_at };
  return { type: "subscription-invoices", id: String(id), attributes };
}
