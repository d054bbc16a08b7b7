import type { FakeCheckout, FakeState, FakeSubscription } from "./state.ts";

/** Changes of a subscription, whether caused by its customer, our requests or time. */

export function subscribe(state: FakeState, checkout: FakeCheckout): FakeSubscription {
  const now = state.clock.now();
  const count = state.subscriptions.length + 1;
  const subscription: FakeSubscription = {
    id: 700_000 + count,
    store_id: productOf(state, checkout.variantId).store_id,
    customer_id: 300_000 + count,
    variantId: checkout.variantId,
    email: checkout.email,
    status: "active",
    pause: null,
    cancelled: false,
    renewsAt: nextRenewal(state, checkout.variantId, now),
    endsAt: null,
    createdAt: now,
    updatedAt: now,
    custom: checkout.custom,
  };
  state.subscriptions.push(subscription);
  return subscription;
}

export function renew(state: FakeState, subscription: FakeSubscription): void {
  const from = subscription.renewsAt ?? state.clock.now();
  change(state, subscription, {
    status: "active",
    renewsAt: nextRenewal(state, subscription.variantId, from),
  });
}

/** From this status on, `renews_at` is the next attempt to charge. */
export function failPayment(state: FakeState, subscription: FakeSubscription): void {
  const inFiveDays = new Date(state.clock.now().getTime() + 5 * 24 * 60 * 60 * 1000);
  change(state, subscription, { status: "past_due", renewsAt: inFiveDays });
}

export function cancel(state: FakeState, subscription: FakeSubscription): void {
  if (subscription.cancelled || subscription.status === "expired") return;
  change(state, subscription, { status: "cancelled", cancelled: true, endsAt: subscription.renewsAt });
}

export function resume(state: FakeState, subscription: FakeSubscription): void {
  if (subscription.cancelled)
    change(state, subscription, { status: "active", cancelled: false, endsAt: null });
}

export function expire(state: FakeState, subscription: FakeSubscription): void {
  change(state, subscription, { status: "expired", cancelled: true, endsAt: state.clock.now() });
}

export function change(
  state: FakeState,
  subscription: FakeSubscription,
  fields: Partial<FakeSubscription>,
): void {
  Object.assign(subscription, fields, { updatedAt: state.clock.now() });
}

function productOf({ variants, products }: FakeState, variantId: number) {
  const product = products.find(({ id }) =>
    variants.some((one) => one.id === variantId && one.product_id === id),
  );
  if (product === undefined) throw new Error(`No product has the variant ${variantId}`);
  return product;
}

function nextRenewal({ variants }: FakeState, variantId: number, from: Date): Date {
  const price = variants.find(({ id }) => id === variantId)?.price;
  const count = price?.renewal_interval_quantity ?? 1;
  const renewal = new Date(from);
  const unit = price?.renewal_interval_unit;
  if (unit === "day" || unit === "week")
    renewal.setUTCDate(renewal.getUTCDate() + (unit === "week" ? 7 : 1) * count);
  else renewal.setUTCMonth(renewal.getUTCMonth() + (unit === "year" ? 12 : 1) * count);
  return renewal;
}
