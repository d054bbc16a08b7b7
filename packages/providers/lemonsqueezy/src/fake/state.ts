import { randomUUID } from "node:crypto";
import type { Checkout, Price, Store, Subscription } from "@lemonsqueezy/lemonsqueezy.js";
import type { Clock } from "@purser/core";
import type { PriceResource, ProductResource, VariantResource } from "./vendor-contract.ts";

export interface FakeLemonSqueezyProduct {
  id: number;
  store_id: number;
  name: string;
  description: string;
  status: ProductResource["attributes"]["status"];
}

/** A variant, with the attributes of its price that the adapter reads. */
export interface FakeLemonSqueezyVariant {
  id: number;
  product_id: number;
  name: string;
  status: VariantResource["attributes"]["status"];
  price: Pick<
    PriceResource["attributes"],
    | ("category" | "scheme" | "usage_aggregation" | "unit_price")
    | ("renewal_interval_unit" | "renewal_interval_quantity")
  > &
    Partial<
      Pick<
        PriceResource["attributes"],
        "setup_fee_enabled" | "setup_fee" | "trial_interval_unit" | "trial_interval_quantity"
      >
    >;
}

export interface FakeLemonSqueezyCheckout {
  id: string;
  variantId: number;
  expiresAt: Date | null;
  email: string;
  name: string;
  custom: Readonly<Record<string, string>>;
  productOptions: Pick<
    Checkout["data"]["attributes"]["product_options"],
    "redirect_url" | "enabled_variants"
  >;
  createdAt: Date;
}

export interface FakeLemonSqueezySubscription {
  id: number;
  store_id: number;
  customer_id: number;
  variantId: number;
  email: string;
  status: Subscription["data"]["attributes"]["status"];
  pause: Subscription["data"]["attributes"]["pause"];
  cancelled: boolean;
  /** Whether the first payment is still to come. */
  isTrial: boolean;
  renewsAt: Date | null;
  endsAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Sent in webhooks only. */
  custom: Readonly<Record<string, string>>;
}

/** The state of a Lemon Squeezy account. */
export interface LemonSqueezyState {
  readonly clock: Clock;
  stores: { id: number; currency: Store["data"]["attributes"]["currency"] }[];
  products: FakeLemonSqueezyProduct[];
  variants: FakeLemonSqueezyVariant[];
  checkouts: Map<string, FakeLemonSqueezyCheckout>;
  subscriptions: FakeLemonSqueezySubscription[];
}

export const storeId = 4841;

export const longAgo = {
  created_at: "2026-01-05T10:00:00.000000Z",
  updated_at: "2026-01-05T10:00:00.000000Z",
};

export const priceIdOf = (variantId: number): number => variantId + 50_000;

export function fixedPrice(
  unit_price: number,
  renewal_interval_unit: Price["data"]["attributes"]["renewal_interval_unit"],
  quantity = 1,
): FakeLemonSqueezyVariant["price"] {
  return {
    category: "subscription",
    scheme: "standard",
    usage_aggregation: null,
    unit_price,
    renewal_interval_unit,
    renewal_interval_quantity: quantity,
  };
}

/** An account with two stores. The first sells one plan by the month and by the year, and one by the month only. */
export function newLemonSqueezyState(clock: Clock): LemonSqueezyState {
  return {
    clock,
    stores: [
      { id: storeId, currency: "EUR" },
      { id: 4842, currency: "USD" },
    ],
    products: [
      { id: 101, store_id: storeId, name: "Solo", description: "", status: "published" },
      { id: 102, store_id: storeId, name: "Team", description: "<p>For&nbsp;teams</p>", status: "published" },
      { id: 103, store_id: 4842, name: "Elsewhere", description: "", status: "published" },
    ],
    variants: [
      { id: 1001, product_id: 101, name: "Default", status: "pending", price: fixedPrice(900, "month") },
      { id: 1002, product_id: 102, name: "Default", status: "pending", price: fixedPrice(1, "month") },
      { id: 1003, product_id: 102, name: "Yearly", status: "published", price: fixedPrice(29_000, "year") },
      { id: 1004, product_id: 102, name: "Monthly", status: "published", price: fixedPrice(2900, "month") },
      { id: 1005, product_id: 103, name: "Default", status: "pending", price: fixedPrice(500, "month") },
    ],
    checkouts: new Map(),
    subscriptions: [],
  };
}

export function newCheckout(fields: Omit<FakeLemonSqueezyCheckout, "id">): FakeLemonSqueezyCheckout {
  return { id: randomUUID(), ...fields };
}

/** Formats an instant as Lemon Squeezy does. */
export function stamp(instant: Date): string {
  return instant.toISOString().replace("Z", "000Z");
}
