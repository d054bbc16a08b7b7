import type { VendorFact } from "@purser/vendor-contract";

/** The comments of the SDK's types are Lemon Squeezy's reference, as on docs.lemonsqueezy.com/api. */
const document = "@lemonsqueezy/lemonsqueezy.js 4.0.0/dist/index.d.ts";
const time = { format: "date-time" };

/** What Lemon Squeezy documents and the types of its SDK do not say. */
export const lemonSqueezyFacts: readonly VendorFact[] = [
  {
    says: "A period ends, and the next invoice is issued, at an ISO 8601 time.",
    of: "SubscriptionAttributes.renews_at",
    is: { anyOf: [time, { type: "null" }] },
    document,
    path: "Subscription › renews_at",
  },
  {
    says: "A subscription has an end at an ISO 8601 time if it is canceled or expired.",
    of: "SubscriptionAttributes.ends_at",
    is: { anyOf: [time, { type: "null" }] },
    document,
    path: "Subscription › ends_at",
  },
  {
    says: "A subscription was created at an ISO 8601 time.",
    of: "SubscriptionAttributes.created_at",
    is: time,
    document,
    path: "Subscription › created_at",
  },
  {
    says: "A billing anchor is a day of the month.",
    of: "SubscriptionAttributes.billing_anchor",
    is: { type: "integer", minimum: 1, maximum: 31 },
    document,
    path: "Subscription › billing_anchor",
  },
  {
    says: "A price per unit is a whole number of cents. It is null for usage-based and tiered prices.",
    of: "PriceAttributes.unit_price",
    is: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] },
    document,
    path: "Price › unit_price",
  },
  {
    says: "A checkout expires at an ISO 8601 time, or never.",
    of: "CheckoutAttributes.expires_at",
    is: { anyOf: [time, { type: "null" }] },
    document,
    path: "Checkout › expires_at",
  },
  {
    says: "A subscription with `cancelled` has the status `cancelled` and an end.",
    document,
    path: "Subscription › cancelled",
  },
  {
    says: "`renews_at` of a subscription that is `past_due` is the next attempt to charge.",
    document,
    path: "Subscription › renews_at",
  },
  {
    says: "A subscription in its free trial has no subscription item.",
    document,
    path: "Subscription › first_subscription_item",
  },
  {
    says: "The links of a subscription are signed and valid for 24 hours.",
    document,
    path: "Subscription › urls",
  },
  {
    says: "Custom data of a checkout is in `meta.custom_data` of every order and subscription event.",
    document: "docs.lemonsqueezy.com/help/webhooks/webhook-requests",
    path: "Webhook Requests",
  },
  {
    says: "An event that is not answered with 200 is repeated three times.",
    document: "docs.lemonsqueezy.com/help/webhooks/webhook-requests",
    path: "Webhook Requests",
  },
];
