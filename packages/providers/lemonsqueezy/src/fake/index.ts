import { createHmac } from "node:crypto";
import type { PaymentProvider } from "@purser/billing/ports";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { lemonSqueezyPayments } from "../index.ts";
import type { LemonSqueezyConfig } from "../settings.ts";
import { type Resource, invoiceResource, orderResource, subscriptionResource } from "./resources.ts";
import { type FakeApi, serve } from "./server.ts";
import { type FakeState, type FakeSubscription, newState, storeId } from "./state.ts";
import { cancel, change, expire, failPayment, renew, subscribe } from "./subscriptions.ts";

export const webhookSecret = "whs_purser_test";

/** The part of Lemon Squeezy that the adapter uses: its API with an account's state, and its webhooks. */
export interface LemonSqueezyFake extends BillingFake, FakeApi {
  readonly state: FakeState;
  /** Returns an adapter with other settings that calls this fake. */
  providerWith(config?: Partial<LemonSqueezyConfig>): PaymentProvider;
  complete(reference: string): { subscriptionId: string; events: SignedEvent[] };
  renew(subscriptionId: string): SignedEvent[];
  failPayment(subscriptionId: string): SignedEvent[];
  cancelAtPeriodEnd(subscriptionId: string): SignedEvent[];
  end(subscriptionId: string): SignedEvent[];
  /** Sets any fields of a subscription. */
  put(subscriptionId: string, fields: Partial<FakeSubscription>): SignedEvent[];
}

/** Starts a fake Lemon Squeezy, and an adapter that calls it. */
export async function startLemonSqueezyFake({ clock }: { clock: Clock }): Promise<LemonSqueezyFake> {
  const state = newState(clock);
  const api = await serve(state);
  const { apiKey, baseUrl } = api;
  const defaults = { apiKey, storeId: String(storeId), webhookSecrets: [webhookSecret], baseUrl, clock };
  const providerWith = (config?: Partial<LemonSqueezyConfig>) =>
    lemonSqueezyPayments({ ...defaults, ...config });
  return {
    ...api,
    state,
    providerWith,
    provider: providerWith(),
    get requests() {
      return api.asked.length;
    },
    // No time is signed, so a repeated delivery is identical.
    resign: (event) => event,
    ...happenings(state),
  };
}

type Happenings = Pick<
  LemonSqueezyFake,
  "complete" | "renew" | "failPayment" | "cancelAtPeriodEnd" | "end" | "put"
>;

/** The actions of customers and the passage of time, each with its events. An ended subscription does not change. */
function happenings(state: FakeState): Happenings {
  let invoices = 900_000;
  const changed = (subscription: FakeSubscription, name = "subscription_updated") =>
    sign(name, subscription, subscriptionResource(state, subscription));
  const invoiced = (subscription: FakeSubscription, name: string, reason: string) =>
    sign(name, subscription, invoiceResource(state, subscription, { id: (invoices += 1), reason }));
  const find = (id: string) => {
    const subscription = state.subscriptions.find((one) => String(one.id) === id);
    if (subscription === undefined) throw new Error(`There is no subscription ${id}`);
    return subscription;
  };
  return {
    complete: (reference) => {
      const checkout = state.checkouts.get(reference);
      if (checkout === undefined) throw new Error(`There is no checkout ${reference}`);
      if (checkout.expiresAt !== null && checkout.expiresAt <= state.clock.now())
        throw new Error(`The checkout ${reference} has expired`);
      const subscription = subscribe(state, checkout);
      const events = [
        sign("order_created", subscription, orderResource(subscription)),
        changed(subscription, "subscription_created"),
        invoiced(subscription, "subscription_payment_success", "initial"),
      ];
      return { subscriptionId: String(subscription.id), events };
    },
    renew: (id) => {
      const subscription = find(id);
      if (!goesOn(subscription)) return [];
      renew(state, subscription);
      return [changed(subscription), invoiced(subscription, "subscription_payment_success", "renewal")];
    },
    failPayment: (id) => {
      const subscription = find(id);
      if (!goesOn(subscription)) return [];
      failPayment(state, subscription);
      return [changed(subscription), invoiced(subscription, "subscription_payment_failed", "renewal")];
    },
    cancelAtPeriodEnd: (id) => {
      const subscription = find(id);
      if (!goesOn(subscription)) return [];
      cancel(state, subscription);
      return [changed(subscription, "subscription_cancelled"), changed(subscription)];
    },
    end: (id) => {
      const subscription = find(id);
      if (subscription.status === "expired") return [];
      expire(state, subscription);
      return [changed(subscription, "subscription_expired"), changed(subscription)];
    },
    put: (id, fields) => {
      change(state, find(id), fields);
      return [changed(find(id))];
    },
  };
}

/** A canceled subscription is neither renewed nor charged. */
const goesOn = ({ status, cancelled }: FakeSubscription) => !cancelled && status !== "expired";

function sign(event_name: string, { custom: custom_data }: FakeSubscription, data: Resource): SignedEvent {
  const meta = { test_mode: true, event_name, custom_data };
  return signed(JSON.stringify({ meta, data }), { eventName: event_name });
}

/** Builds a webhook request with this body, signed as Lemon Squeezy does. */
export function signed(
  text: string,
  { eventName = "subscription_updated", secret = webhookSecret } = {},
): SignedEvent {
  const body = Buffer.from(text);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return { body, headers: new Headers({ "x-event-name": eventName, "x-signature": signature }) };
}
