import type { PaymentProvider } from "@purser/billing/ports";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { stripePayments } from "../../billing/index.ts";
import type { StripeBillingConfig } from "../../settings.ts";
import { type StripeWebhooks, stripeContract } from "../vendor-contract.ts";
import { type FakeEvent, nextId, signStripeEvent, stripeWebhookSecret } from "../events.ts";
import { type StripeServer, startStripeServer } from "../server.ts";
import {
  beginPeriod,
  chargeInvoice,
  billingEvent,
  cancelInPortal,
  completeSession,
  endSubscription,
  pauseFakeStripeSubscription,
  putFakeSubscription,
} from "./lifecycle.ts";
import {
  type FakePrice,
  type FakeProduct,
  type FakeSubscription,
  fakePrice,
  fakeProduct,
  fakeRecurring,
} from "./objects.ts";
import { type BillingState, secondsOf } from "./state.ts";

/** A Stripe account that sells two plans, Starter and Team, and the adapter connected to it. */
export interface StripeBillingFake extends BillingFake, Omit<StripeServer, "stop"> {
  readonly state: BillingState;
  complete(reference: string): { subscriptionId: string; events: SignedEvent[] };
  renew(subscriptionId: string): SignedEvent[];
  failPayment(subscriptionId: string): SignedEvent[];
  cancelAtPeriodEnd(subscriptionId: string): SignedEvent[];
  end(subscriptionId: string): SignedEvent[];
  /** Begins the next period, whose invoice is a draft until `charge`. */
  beginPeriod(subscriptionId: string): SignedEvent[];
  /** Charges the latest invoice. The payment succeeds or fails. */
  charge(subscriptionId: string, isPaid: boolean): SignedEvent[];
  /** Creates an adapter with other settings. */
  providerWith(config: Partial<StripeBillingConfig>): PaymentProvider;
  /** Adds or replaces a product or a price. Returns its event. */
  sell(object: FakeProduct | FakePrice): SignedEvent;
  /** Schedules the end for any date, as an operator can in the dashboard. */
  scheduleEnd(subscriptionId: string, at: Date): SignedEvent[];
  /** Attaches a schedule, as the portal does for a downgrade at the end of the period. */
  attachSchedule(subscriptionId: string): SignedEvent[];
  /** Fails the payment for the next period, after which the account's settings pause the subscription. */
  failPaymentAndPause(subscriptionId: string): SignedEvent[];
  /** Changes attributes of a subscription, such as its status. */
  put(subscriptionId: string, changes: Partial<FakeSubscription>): SignedEvent[];
}

/** Starts a fake Stripe that follows the clock. */
export async function startStripeBillingFake({ clock }: { clock: Clock }): Promise<StripeBillingFake> {
  const server = await startStripeServer({ clock });
  const { baseUrl, apiKey, log, billing: state } = server;
  const providerWith = (config: Partial<StripeBillingConfig> = {}) =>
    stripePayments({ apiKey, webhookSecrets: [stripeWebhookSecret], baseUrl, clock, ...config });
  const sign = (events: FakeEvent[]) =>
    events.map((event) =>
      signStripeEvent(stripeContract.webhook(event.type as keyof StripeWebhooks, event), clock.now()),
    );
  const sell = (object: FakeProduct | FakePrice) => {
    if (object.object === "product") state.products.set(object.id, object);
    else state.prices.set(object.id, object);
    return sign([billingEvent(state, `${object.object}.updated`, object)])[0]!;
  };
  sellPlans(sell);
  return {
    ...server,
    state,
    provider: providerWith(),
    providerWith,
    sell,
    complete: (reference) => {
      const { subscriptionId, events } = completeSession(state, reference);
      return { subscriptionId, events: sign(events) };
    },
    renew: (id) => sign([beginPeriod(state, id), ...chargeInvoice(state, id, true)]),
    failPayment: (id) => sign([beginPeriod(state, id), ...chargeInvoice(state, id, false)]),
    beginPeriod: (id) => sign([beginPeriod(state, id)]),
    charge: (id, isPaid) => sign(chargeInvoice(state, id, isPaid)),
    cancelAtPeriodEnd: (id) => sign(cancelInPortal(state, id)),
    end: (id) => sign(endSubscription(state, id)),
    pause: (id) => sign([pauseFakeStripeSubscription(state, id, "pause_requested")]),
    failPaymentAndPause: (id) =>
      sign([
        beginPeriod(state, id),
        ...chargeInvoice(state, id, false),
        pauseFakeStripeSubscription(state, id, "first_payment_failure"),
      ]),
    scheduleEnd: (id, at) => {
      const cancelAt = Math.floor(at.getTime() / 1000);
      return sign([putFakeSubscription(state, id, { cancel_at: cancelAt, canceled_at: secondsOf(state) })]);
    },
    attachSchedule: (id) => sign([putFakeSubscription(state, id, { schedule: nextId("sub_sched") })]),
    put: (id, changes) => sign([putFakeSubscription(state, id, changes)]),
    resign: ({ body }) => signStripeEvent(body.toString(), clock.now()),
    get requests() {
      return log.length;
    },
  };
}

function sellPlans(sell: (object: FakeProduct | FakePrice) => void): void {
  const team = fakeProduct({ name: "Team", description: "For a company" });
  const starter = fakeProduct({ name: "Starter" });
  sell(team);
  sell(starter);
  sell(fakePrice({ product: starter.id, unit_amount: 900 }));
  sell(fakePrice({ product: team.id, unit_amount: 29_000, recurring: fakeRecurring({ interval: "year" }) }));
  sell(fakePrice({ product: team.id, unit_amount: 2_900 }));
}
