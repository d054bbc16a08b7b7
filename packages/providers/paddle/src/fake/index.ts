import type { PaymentProvider } from "@purser/billing/ports";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { paddlePayments } from "../payments.ts";
import type { PaddleConfig } from "../settings.ts";
import { requireEntity } from "./call.ts";
import type { FakePaddleSubscription } from "./entities.ts";
import { outbox } from "./events.ts";
import {
  capture,
  failFakePaddlePayment,
  fillIn,
  pause,
  pay,
  put,
  renewFakePaddleSubscription,
} from "./lifecycle.ts";
import { type PaddleFault, type Recorded, servePaddle } from "./server.ts";
import { type PaddleState, addPrice, addProduct, newPaddleState } from "./state.ts";
import { endFakePaddleSubscription, planChange } from "./subscriptions.ts";

const webhookSecret = "pdl_ntfset_01purser_of_the_destination";

/** Every action takes effect at once, so a test waits for nothing. */
export interface PaddleFake extends BillingFake {
  readonly baseUrl: string;
  readonly state: PaddleState;
  /** All requests so far, in order. */
  readonly recorded: readonly Recorded[];
  /** All events so far, including those of API requests. */
  readonly sent: readonly SignedEvent[];
  /** Returns an adapter with other settings. */
  providerWith(config: Partial<PaddleConfig>): PaymentProvider;
  /** Makes the next calls, such as "POST /transactions", fail, one per fault. */
  fail(call: string, ...faults: PaddleFault[]): void;
  complete(reference: string): { subscriptionId: string; events: SignedEvent[] };
  renew(subscriptionId: string): SignedEvent[];
  failPayment(subscriptionId: string): SignedEvent[];
  cancelAtPeriodEnd(subscriptionId: string): SignedEvent[];
  end(subscriptionId: string): SignedEvent[];
  /** A customer enters their address on the page of a checkout, without paying. */
  fillIn(reference: string): SignedEvent[];
  /** A customer has paid for a checkout. `complete` goes on from there. */
  capture(reference: string): SignedEvent[];
  pause(subscriptionId: string): SignedEvent[];
  /** Schedules a pause for the end of the period, as the seller can in Paddle's dashboard. */
  planPause(subscriptionId: string): SignedEvent[];
  put(subscriptionId: string, fields: Partial<FakePaddleSubscription>): SignedEvent[];
}

/** Starts a fake Paddle that sells a plan by the month and by the year. */
export async function startPaddleFake({ clock }: { clock: Clock }): Promise<PaddleFake> {
  const apiKey = "pdl_sdbx_apikey_01purser";
  const { sent, emit, eventsOf, resign } = outbox(clock, [webhookSecret]);
  const state = newPaddleState(clock, emit);
  const plan = addProduct(state, { description: "For the whole team" });
  addPrice(state, plan);
  addPrice(state, plan, {
    billing_cycle: { interval: "year", frequency: 1 },
    unit_price: { amount: "29000", currency_code: "EUR" },
  });
  const { baseUrl, requests, fail, stop } = await servePaddle(state, apiKey);
  const providerWith = (config: Partial<PaddleConfig>) =>
    paddlePayments({
      apiKey,
      webhookSecrets: [webhookSecret],
      environment: "sandbox",
      checkoutUrl: "https://pay.example.com/billing/paddle",
      baseUrl,
      clock,
      ...config,
    });
  const subscription = (id: string) => requireEntity(state.subscriptions, id);
  return {
    baseUrl,
    state,
    recorded: requests,
    sent,
    provider: providerWith({}),
    providerWith,
    fail,
    complete: (reference) => {
      let subscriptionId = "";
      const events = eventsOf(() => (subscriptionId = pay(state, reference)));
      return { subscriptionId, events };
    },
    fillIn: (reference) => eventsOf(() => fillIn(state, reference)),
    capture: (reference) => eventsOf(() => capture(state, reference)),
    renew: (id) => eventsOf(() => renewFakePaddleSubscription(state, id)),
    failPayment: (id) => eventsOf(() => failFakePaddlePayment(state, id)),
    pause: (id) => eventsOf(() => pause(state, id)),
    planPause: (id) => eventsOf(() => planChange(state, subscription(id), "pause")),
    cancelAtPeriodEnd: (id) => eventsOf(() => planChange(state, subscription(id), "cancel")),
    end: (id) => eventsOf(() => endFakePaddleSubscription(state, subscription(id))),
    put: (id, fields) => eventsOf(() => put(state, id, fields)),
    resign,
    get requests() {
      return requests.length;
    },
    stop,
  };
}
