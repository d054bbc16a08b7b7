import { createHmac } from "node:crypto";
import type { PaymentProvider } from "@purser/billing/ports";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { lemonSqueezyPayments } from "../payments.ts";
import type { LemonSqueezyConfig } from "../settings.ts";
import { invoiceResource, orderResource } from "./payments.ts";
import { type LemonSqueezyResource, subscriptionResource } from "./resources.ts";
import { type LemonSqueezyServer, startLemonSqueezyServer } from "./server.ts";
import {
  type LemonSqueezyState,
  type FakeLemonSqueezySubscription,
  newLemonSqueezyState,
  storeId,
} from "./state.ts";
import {
  cancelFakeLemonSqueezySubscription,
  changeFakeLemonSqueezySubscription,
  expireFakeLemonSqueezySubscription,
  failFakeLemonSqueezyPayment,
  renewFakeLemonSqueezySubscription,
  createFakeLemonSqueezySubscription,
} from "./subscriptions.ts";
import { type LemonSqueezyWebhooks, lemonSqueezyContract } from "./vendor-contract.ts";

export const lemonSqueezyWebhookSecret = "whs_purser_test";

/** The part of Lemon Squeezy that the adapter uses: its API with an account's state, and its webhooks. */
export interface LemonSqueezyFake extends BillingFake, LemonSqueezyServer {
  readonly state: LemonSqueezyState;
  /** Returns an adapter with other settings that calls this fake. */
  providerWith(config?: Partial<LemonSqueezyConfig>): PaymentProvider;
  complete(reference: string): { subscriptionId: string; events: SignedEvent[] };
  renew(subscriptionId: string): SignedEvent[];
  failPayment(subscriptionId: string): SignedEvent[];
  cancelAtPeriodEnd(subscriptionId: string): SignedEvent[];
  end(subscriptionId: string): SignedEvent[];
  /** Sets any fields of a subscription. */
  put(subscriptionId: string, fields: Partial<FakeLemonSqueezySubscription>): SignedEvent[];
}

/** Starts a fake Lemon Squeezy, and an adapter that calls it. */
export async function startLemonSqueezyFake({ clock }: { clock: Clock }): Promise<LemonSqueezyFake> {
  const state = newLemonSqueezyState(clock);
  const api = await startLemonSqueezyServer(state);
  const { apiKey, baseUrl } = api;
  const defaults = {
    apiKey,
    storeId: String(storeId),
    webhookSecrets: [lemonSqueezyWebhookSecret],
    baseUrl,
    clock,
  };
  const providerWith = (config?: Partial<LemonSqueezyConfig>) =>
    lemonSqueezyPayments({ ...defaults, ...config });
  return {
    ...api,
    state,
    providerWith,
    provider: providerWith(),
    get requests() {
      return api.received.length;
    },
    // No time is signed, so a repeated delivery is identical.
    resign: (event) => event,
    ...lifecycleOf(state),
  };
}

type Lifecycle = Pick<
  LemonSqueezyFake,
  "complete" | "renew" | "failPayment" | "cancelAtPeriodEnd" | "end" | "pause" | "put"
>;

/** The actions of customers and the passage of time, each with its events. An ended subscription does not change. */
function lifecycleOf(state: LemonSqueezyState): Lifecycle {
  let invoices = 900_000;
  const changed = (
    subscription: FakeLemonSqueezySubscription,
    name: keyof LemonSqueezyWebhooks = "subscription_updated",
  ) => sign(name, subscription, subscriptionResource(state, subscription));
  const invoiced = (
    subscription: FakeLemonSqueezySubscription,
    name: keyof LemonSqueezyWebhooks,
    reason: "initial" | "renewal",
  ) => sign(name, subscription, invoiceResource(state, subscription, { id: (invoices += 1), reason }));
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
      const subscription = createFakeLemonSqueezySubscription(state, checkout);
      const events = [
        sign("order_created", subscription, orderResource(state, subscription)),
        changed(subscription, "subscription_created"),
        invoiced(subscription, "subscription_payment_success", "initial"),
      ];
      return { subscriptionId: String(subscription.id), events };
    },
    renew: (id) => {
      const subscription = find(id);
      if (!isRenewing(subscription)) return [];
      renewFakeLemonSqueezySubscription(state, subscription);
      return [changed(subscription), invoiced(subscription, "subscription_payment_success", "renewal")];
    },
    failPayment: (id) => {
      const subscription = find(id);
      if (!isRenewing(subscription)) return [];
      failFakeLemonSqueezyPayment(state, subscription);
      return [changed(subscription), invoiced(subscription, "subscription_payment_failed", "renewal")];
    },
    cancelAtPeriodEnd: (id) => {
      const subscription = find(id);
      if (!isRenewing(subscription)) return [];
      cancelFakeLemonSqueezySubscription(state, subscription);
      return [changed(subscription, "subscription_cancelled"), changed(subscription)];
    },
    end: (id) => {
      const subscription = find(id);
      if (subscription.status === "expired") return [];
      expireFakeLemonSqueezySubscription(state, subscription);
      return [changed(subscription, "subscription_expired"), changed(subscription)];
    },
    pause: (id) => {
      const pause = { mode: "void", resumes_at: null } as const;
      changeFakeLemonSqueezySubscription(state, find(id), { status: "paused", pause });
      return [changed(find(id), "subscription_paused"), changed(find(id))];
    },
    put: (id, fields) => {
      changeFakeLemonSqueezySubscription(state, find(id), fields);
      return [changed(find(id))];
    },
  };
}

/** A canceled subscription is neither renewed nor charged. */
const isRenewing = ({ status, cancelled }: FakeLemonSqueezySubscription) =>
  !cancelled && status !== "expired";

function sign(
  event_name: keyof LemonSqueezyWebhooks,
  { custom: custom_data }: FakeLemonSqueezySubscription,
  data: LemonSqueezyResource,
): SignedEvent {
  const meta = { test_mode: true, event_name, custom_data };
  const event = lemonSqueezyContract.webhook(event_name, { meta, data });
  return signLemonSqueezyEvent(JSON.stringify(event), { eventName: event_name });
}

/** Builds a webhook request with this body, signed as Lemon Squeezy does. */
export function signLemonSqueezyEvent(
  text: string,
  { eventName = "subscription_updated", secret = lemonSqueezyWebhookSecret } = {},
): SignedEvent {
  const body = Buffer.from(text);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return { body, headers: new Headers({ "x-event-name": eventName, "x-signature": signature }) };
}
