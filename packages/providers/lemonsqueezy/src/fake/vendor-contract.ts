import type {
  Checkout,
  GetSubscriptionParams,
  ListProducts,
  ListProductsParams,
  ListSubscriptions,
  ListSubscriptionsParams,
  ListVariants,
  ListVariantsParams,
  NewCheckout,
  Order,
  Price,
  Store,
  Subscription,
  SubscriptionInvoice,
  UpdateSubscription,
} from "@lemonsqueezy/lemonsqueezy.js";
import { type SnakeCased, vendorContract } from "@purser/vendor-contract";

// The SDK names no attributes. Facts need names.
interface SubscriptionAttributes extends Omit<Subscription["data"]["attributes"], "renews_at"> {
  /** The SDK's type omits null. Nothing says what an ended subscription shows, so the adapter accepts null. */
  renews_at: string | null;
}
interface PriceAttributes extends Omit<Price["data"]["attributes"], "unit_price"> {
  /** The SDK's type omits null. Its comment says that usage-based and tiered prices have no unit price. */
  unit_price: number | null;
}
interface CheckoutAttributes extends Omit<Checkout["data"]["attributes"], "checkout_data" | "preview"> {
  /** What was sent. The SDK's type has every field, and requires a preview that only a request with `preview` gets. */
  checkout_data: Partial<Checkout["data"]["attributes"]["checkout_data"]>;
  preview?: Checkout["data"]["attributes"]["preview"];
}

type With<Resource, Attributes> = Omit<Resource, "attributes"> & { attributes: Attributes };
export type SubscriptionResource = With<Subscription["data"], SubscriptionAttributes>;
export type PriceResource = With<Price["data"], PriceAttributes>;
export type CheckoutResource = With<Checkout["data"], CheckoutAttributes>;
export type ProductResource = ListProducts["data"][number];
export type VariantResource = ListVariants["data"][number];

type Of<Response, Resource, Included = never> = Omit<Response, "data" | "included"> & {
  data: Resource;
  included?: Included[];
};
/** Related resources are named in one parameter, with commas. */
type Query<Params extends { include?: unknown }> = SnakeCased<Omit<Params, "include">> & {
  include?: Params["include"];
};
interface Related<Type extends string> {
  data: { type: Type; id: string };
}

/** The operations in use, in the SDK's types. */
export interface LemonSqueezyOperations {
  "GET /v1/stores/{id}": { response: Store };
  "GET /v1/products": { query: Query<ListProductsParams>; response: ListProducts };
  "GET /v1/variants": {
    query: Query<ListVariantsParams>;
    response: Of<ListVariants, VariantResource[], ProductResource | PriceResource>;
  };
  "POST /v1/checkouts": {
    request: {
      data: {
        type: "checkouts";
        attributes: SnakeCased<NewCheckout>;
        relationships: { store: Related<"stores">; variant: Related<"variants"> };
      };
    };
    response: Of<Checkout, CheckoutResource>;
  };
  "GET /v1/subscriptions": {
    query: Query<ListSubscriptionsParams>;
    response: Of<ListSubscriptions, SubscriptionResource[]>;
  };
  "GET /v1/subscriptions/{id}": {
    query: Query<GetSubscriptionParams>;
    response: Of<Subscription, SubscriptionResource, VariantResource>;
  };
  "DELETE /v1/subscriptions/{id}": { response: Of<Subscription, SubscriptionResource> };
  "PATCH /v1/subscriptions/{id}": {
    request: { data: { type: "subscriptions"; id: string; attributes: SnakeCased<UpdateSubscription> } };
    response: Of<Subscription, SubscriptionResource>;
  };
}

interface LemonSqueezyEvent<Name extends string, Resource> {
  meta: { event_name: Name; test_mode?: boolean; custom_data?: Record<string, unknown> };
  data: Resource;
}

/** The webhooks in use. The SDK has no types of events, only of the resources in them. */
export interface LemonSqueezyWebhooks {
  order_created: LemonSqueezyEvent<"order_created", Order["data"]>;
  subscription_created: LemonSqueezyEvent<"subscription_created", SubscriptionResource>;
  subscription_updated: LemonSqueezyEvent<"subscription_updated", SubscriptionResource>;
  subscription_cancelled: LemonSqueezyEvent<"subscription_cancelled", SubscriptionResource>;
  subscription_expired: LemonSqueezyEvent<"subscription_expired", SubscriptionResource>;
  subscription_paused: LemonSqueezyEvent<"subscription_paused", SubscriptionResource>;
  subscription_payment_success: LemonSqueezyEvent<
    "subscription_payment_success",
    SubscriptionInvoice["data"]
  >;
  subscription_payment_failed: LemonSqueezyEvent<"subscription_payment_failed", SubscriptionInvoice["data"]>;
}

export const lemonSqueezyContract = vendorContract<keyof LemonSqueezyWebhooks>("lemonsqueezy");
