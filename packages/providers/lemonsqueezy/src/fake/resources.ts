import type { Store, Subscription } from "@lemonsqueezy/lemonsqueezy.js";
import {
  type FakeLemonSqueezyCheckout,
  type FakeLemonSqueezySubscription,
  type FakeLemonSqueezyVariant,
  type LemonSqueezyState,
  longAgo,
  priceIdOf,
  stamp,
  storeId,
} from "./state.ts";
import type {
  CheckoutResource,
  PriceResource,
  ProductResource,
  SubscriptionResource,
  VariantResource,
} from "./vendor-contract.ts";

/** Any resource, as JSON:API shows it. */
export interface LemonSqueezyResource {
  type: string;
  id: string;
  attributes: object;
  relationships: object;
  links: { self: string };
}

/** The identity of a resource, and the links to related ones. */
export function linked(type: string, id: number | string) {
  const self = `https://api.lemonsqueezy.com/v1/${type}/${id}`;
  return {
    resource: { type, id: String(id), links: { self } },
    to: (name: string) => ({
      links: { related: `${self}/${name}`, self: `${self}/relationships/${name}` },
    }),
  };
}

export function storeResource({ id, currency }: LemonSqueezyState["stores"][number]): Store["data"] {
  const { resource, to } = linked("stores", id);
  return {
    ...resource,
    attributes: {
      name: "Purser",
      slug: "purser",
      domain: "purser.lemonsqueezy.com",
      url: "https://purser.lemonsqueezy.com",
      avatar_url: "https://cdn.lemonsqueezy.com/avatars/purser.png",
      plan: "fresh",
      country: "IE",
      country_nicename: "Ireland",
      currency,
      total_sales: 0,
      total_revenue: 0,
      thirty_day_sales: 0,
      thirty_day_revenue: 0,
      ...longAgo,
    },
    relationships: {
      products: to("products"),
      orders: to("orders"),
      subscriptions: to("subscriptions"),
      discounts: to("discounts"),
      "license-keys": to("license-keys"),
      webhooks: to("webhooks"),
    },
  };
}

export function productResource({ id, ...product }: LemonSqueezyState["products"][number]): ProductResource {
  const { resource, to } = linked("products", id);
  return {
    ...resource,
    attributes: {
      ...product,
      slug: `product-${id}`,
      status_formatted: formatted(product.status),
      thumb_url: `https://cdn.lemonsqueezy.com/products/${id}/thumb.png`,
      large_thumb_url: `https://cdn.lemonsqueezy.com/products/${id}/large.png`,
      price: 0,
      price_formatted: "€0.00",
      from_price: null,
      from_price_formatted: null,
      to_price: null,
      to_price_formatted: null,
      pay_what_you_want: false,
      buy_now_url: `https://purser.lemonsqueezy.com/buy/${id}`,
      test_mode: true,
      ...longAgo,
    },
    relationships: { store: to("store"), variants: to("variants") },
  };
}

export function variantResource({ id, price, ...variant }: FakeLemonSqueezyVariant): VariantResource {
  const { resource, to } = linked("variants", id);
  return {
    ...resource,
    attributes: {
      ...variant,
      slug: `variant-${id}`,
      description: "",
      status_formatted: formatted(variant.status),
      sort: 1,
      links: [],
      has_license_keys: false,
      license_activation_limit: 1,
      is_license_limit_unlimited: false,
      license_length_value: 1,
      license_length_unit: "years",
      is_license_length_unlimited: false,
      // Deprecated fields, which moved to prices.
      price: price.unit_price ?? 0,
      is_subscription: price.category === "subscription",
      interval: price.renewal_interval_unit,
      interval_count: price.renewal_interval_quantity,
      has_free_trial: false,
      trial_interval: "day",
      trial_interval_count: 30,
      pay_what_you_want: false,
      min_price: 0,
      suggested_price: 0,
      test_mode: true,
      ...longAgo,
    },
    relationships: { product: to("product"), files: to("files"), "price-model": to("price-model") },
  };
}

export function priceResource({ id, price }: FakeLemonSqueezyVariant): PriceResource {
  const { resource, to } = linked("prices", priceIdOf(id));
  return {
    ...resource,
    attributes: {
      variant_id: id,
      unit_price_decimal: null,
      setup_fee_enabled: false,
      setup_fee: null,
      package_size: 1,
      tiers: null,
      trial_interval_unit: null,
      trial_interval_quantity: null,
      min_price: null,
      suggested_price: null,
      tax_code: "saas",
      ...price,
      ...longAgo,
    },
    relationships: { variant: to("variant") },
  };
}

export function checkoutResource(checkout: FakeLemonSqueezyCheckout): CheckoutResource {
  const { id, variantId, expiresAt, productOptions, createdAt, email, name, custom } = checkout;
  const { resource, to } = linked("checkouts", id);
  return {
    ...resource,
    attributes: {
      store_id: storeId,
      variant_id: variantId,
      custom_price: null,
      product_options: {
        name: "",
        description: "",
        media: [],
        receipt_button_text: "",
        receipt_link_url: "",
        receipt_thank_you_note: "",
        confirmation_title: "",
        confirmation_message: "",
        confirmation_button_text: "",
        ...productOptions,
      },
      checkout_options: pageOptions,
      checkout_data: { email, name, custom },
      expires_at: expiresAt && stamp(expiresAt),
      created_at: stamp(createdAt),
      updated_at: stamp(createdAt),
      test_mode: true,
      url: `https://purser.lemonsqueezy.com/checkout/custom/${id}?signature=5ca1ab1e`,
    },
    relationships: { store: to("store"), variant: to("variant") },
  };
}

const pageOptions: CheckoutResource["attributes"]["checkout_options"] = {
  embed: false,
  media: true,
  logo: true,
  desc: true,
  discount: true,
  skip_trial: false,
  quantity: 1,
  subscription_preview: true,
  background_color: "#ffffff",
  headings_color: "#000000",
  primary_text_color: "#000000",
  secondary_text_color: "#000000",
  links_color: "#000000",
  borders_color: "#000000",
  checkbox_color: "#000000",
  active_state_color: "#000000",
  button_color: "#000000",
  button_text_color: "#ffffff",
  terms_privacy_color: "#000000",
  dark: false,
};

/** Lemon Squeezy sends custom data in webhooks only, so it is absent here. */
export function subscriptionResource(
  { variants, products }: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): SubscriptionResource {
  const { id, store_id, customer_id, variantId, email, status, pause, cancelled } = subscription;
  const variant = variants.find((one) => one.id === variantId);
  const product = products.find((one) => one.id === variant?.product_id);
  const { resource, to } = linked("subscriptions", id);
  return {
    ...resource,
    attributes: {
      store_id,
      customer_id,
      order_id: orderIdOf(subscription),
      order_item_id: orderIdOf(subscription),
      product_id: product?.id ?? 0,
      variant_id: variantId,
      product_name: product?.name ?? "",
      variant_name: variant?.name ?? "",
      user_name: "Ada",
      user_email: email,
      status,
      status_formatted: formatted(status),
      card_brand: "visa",
      card_last_four: "4242",
      pause,
      cancelled,
      trial_ends_at: status === "on_trial" && subscription.renewsAt ? stamp(subscription.renewsAt) : null,
      billing_anchor: subscription.createdAt.getUTCDate(),
      first_subscription_item: subscription.isTrial ? null : firstItemOf(subscription),
      urls: urlsOf(customer_id),
      renews_at: subscription.renewsAt && stamp(subscription.renewsAt),
      ends_at: subscription.endsAt && stamp(subscription.endsAt),
      created_at: stamp(subscription.createdAt),
      updated_at: stamp(subscription.updatedAt),
      test_mode: true,
    },
    relationships: {
      store: to("store"),
      customer: to("customer"),
      order: to("order"),
      "order-item": to("order-item"),
      product: to("product"),
      variant: to("variant"),
      "subscription-items": to("subscription-items"),
      "subscription-invoices": to("subscription-invoices"),
    },
  };
}

function firstItemOf({ id, variantId, createdAt }: FakeLemonSqueezySubscription) {
  const price_id = priceIdOf(variantId);
  const times = { created_at: stamp(createdAt), updated_at: stamp(createdAt) };
  return { id: id + 2000, subscription_id: id, price_id, quantity: 1, is_usage_based: false, ...times };
}

/** Signed links, valid for a day. */
function urlsOf(customer: number): Subscription["data"]["attributes"]["urls"] {
  const portal = `https://purser.lemonsqueezy.com/billing?expires=1772528400&user=${customer}&signature=0ddba11`;
  return {
    update_payment_method: portal,
    customer_portal: portal,
    customer_portal_update_subscription: portal,
  };
}

export function orderIdOf({ id }: Pick<FakeLemonSqueezySubscription, "id">): number {
  return id + 1000;
}

/** Such as "Past due". */
export function formatted(status: string): string {
  return `${status.slice(0, 1).toUpperCase()}${status.slice(1).replaceAll("_", " ")}`;
}
