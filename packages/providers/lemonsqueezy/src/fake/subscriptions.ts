import { dayMs } from "@purser/core";
import type { FakeLemonSqueezyCheckout, LemonSqueezyState, FakeLemonSqueezySubscription } from "./state.ts";

/** Changes of a subscription, whether caused by its customer, our requests or time. */

export function createFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  checkout: FakeLemonSqueezyCheckout,
): FakeLemonSqueezySubscription {
  const now = state.clock.now();
  const count = state.subscriptions.length + 1;
  const subscription: FakeLemonSqueezySubscription = {
    id: 700_000 + count,
    store_id: productOf(state, checkout.variantId).store_id,
    customer_id: customerIdOf(state, checkout.email) ?? 300_000 + count,
    variantId: checkout.variantId,
    email: checkout.email,
    status: "active",
    pause: null,
    cancelled: false,
    isTrial: false,
    renewsAt: nextRenewal(state, checkout.variantId, now),
    endsAt: null,
    createdAt: now,
    updatedAt: now,
    custom: checkout.custom,
  };
  state.subscriptions.push(subscription);
  return subscription;
}

/** A store has one customer per address. */
function customerIdOf({ subscriptions }: LemonSqueezyState, email: string): number | undefined {
  return subscriptions.find((one) => one.email === email)?.customer_id;
}

export function renewFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): void {
  const from = subscription.renewsAt ?? state.clock.now();
  changeFakeLemonSqueezySubscription(state, subscription, {
    status: "active",
    isTrial: false,
    renewsAt: nextRenewal(state, subscription.variantId, from),
  });
}

/** From this status on, `renews_at` is the next attempt to charge. */
export function failFakeLemonSqueezyPayment(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): void {
  const inFiveDays = new Date(state.clock.now().getTime() + 5 * dayMs);
  changeFakeLemonSqueezySubscription(state, subscription, { status: "past_due", renewsAt: inFiveDays });
}

export function cancelFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): void {
  if (subscription.cancelled || subscription.status === "expired") return;
  changeFakeLemonSqueezySubscription(state, subscription, {
    status: "cancelled",
    cancelled: true,
    endsAt: subscription.renewsAt,
  });
}

export function resumeFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): void {
  if (subscription.cancelled)
    changeFakeLemonSqueezySubscription(state, subscription, {
      status: subscription.isTrial ? "on_trial" : "active",
      cancelled: false,
      endsAt: null,
    });
}

export function expireFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
): void {
  changeFakeLemonSqueezySubscription(state, subscription, {
    status: "expired",
    cancelled: true,
    endsAt: state.clock.now(),
  });
}

export function changeFakeLemonSqueezySubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
  fields: Partial<FakeLemonSqueezySubscription>,
): void {
  Object.assign(subscription, fields, { updatedAt: state.clock.now() });
}

function productOf({ variants, products }: LemonSqueezyState, variantId: number) {
  const product = products.find(({ id }) =>
    variants.some((one) => one.id === variantId && one.product_id === id),
  );
  if (product === undefined) throw new Error(`No product has the variant ${variantId}`);
  return product;
}

function nextRenewal({ variants }: LemonSqueezyState, variantId: number, from: Date): Date {
  const price = variants.find(({ id }) => id === variantId)?.price;
  const count = price?.renewal_interval_quantity ?? 1;
  const renewal = new Date(from);
  const unit = price?.renewal_interval_unit;
  if (unit === "day" || unit === "week")
    renewal.setUTCDate(renewal.getUTCDate() + (unit === "week" ? 7 : 1) * count);
  else renewal.setUTCMonth(renewal.getUTCMonth() + (unit === "year" ? 12 : 1) * count);
  return renewal;
}
