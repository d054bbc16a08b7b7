import type { Clock } from "@purser/core";
import { Stripe } from "stripe";
import type { BillingFake, SignedEvent } from "../../../../testing/billing/fake.ts";
import type { PaymentProvider } from "../../../ports.ts";
import { type StripeConfig, stripePayments } from "../stripe.ts";
import { beginPeriod, cancelInPortal, complete, end, fakeEvent, put } from "./life.ts";
import {
  type FakePrice,
  type FakeProduct,
  type FakeSubscription,
  fakePrice,
  fakeProduct,
  fakeRecurring,
} from "./objects.ts";
import { type FakeServer, startServer } from "./server.ts";
import type { FakeState } from "./state.ts";

export const webhookSecret = "whsec_of_the_endpoint";

/** What Stripe sends beside an event, which is signed by Stripe's own helper. */
export function signed(event: object | string, at: Date, secret = webhookSecret): SignedEvent {
  const payload = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const timestamp = Math.floor(at.getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { body: Buffer.from(payload), headers: new Headers({ "Stripe-Signature": header }) };
}

/** A Stripe with two plans, Starter and Team, and the adapter before it. */
export interface StripeFake extends BillingFake, Omit<FakeServer, "stop"> {
  readonly state: FakeState;
  complete(reference: string): { subscriptionId: string; events: SignedEvent[] };
  renew(subscriptionId: string): SignedEvent[];
  failPayment(subscriptionId: string): SignedEvent[];
  cancelAtPeriodEnd(subscriptionId: string): SignedEvent[];
  end(subscriptionId: string): SignedEvent[];
  /** The adapter with other settings. */
  providerWith(config: Partial<StripeConfig>): PaymentProvider;
  /** Puts a product on sale, or what it costs; gives the event of it. */
  sell(thing: FakeProduct | FakePrice): SignedEvent;
  /** Gives a subscription anything that Stripe might, such as a status. */
  put(subscriptionId: string, changes: Partial<FakeSubscription>): SignedEvent[];
}

/** Starts a Stripe on this computer. Its time is the clock's. */
export async function startStripeFake({ clock }: { clock: Clock }): Promise<StripeFake> {
  const kinds = ["products", "prices", "customers", "sessions", "subscriptions"] as const;
  const state = { clock, ...Object.fromEntries(kinds.map((kind) => [kind, new Map()])) } as FakeState;
  const server = await startServer(state);
  const { baseUrl, apiKey, log } = server;
  const providerWith = (config: Partial<StripeConfig> = {}) =>
    stripePayments({ apiKey, webhookSecrets: [webhookSecret], baseUrl, clock, ...config });
  const sign = (events: object[]) => events.map((event) => signed(event, clock.now()));
  const sell = (thing: FakeProduct | FakePrice) => {
    if (thing.object === "product") state.products.set(thing.id, thing);
    else state.prices.set(thing.id, thing);
    return signed(fakeEvent(state, `${thing.object}.updated`, thing), clock.now());
  };
  sellPlans(sell);
  return {
    ...server,
    state,
    provider: providerWith(),
    providerWith,
    sell,
    complete: (reference) => {
      const { subscriptionId, events } = complete(state, reference);
      return { subscriptionId, events: sign(events) };
    },
    renew: (id) => sign(beginPeriod(state, id, true)),
    failPayment: (id) => sign(beginPeriod(state, id, false)),
    cancelAtPeriodEnd: (id) => sign(cancelInPortal(state, id)),
    end: (id) => sign(end(state, id)),
    put: (id, changes) => sign([put(state, id, changes)]),
    resign: ({ body }) => signed(body.toString(), clock.now()),
    get requests() {
      return log.length;
    },
  };
}

function sellPlans(sell: (thing: FakeProduct | FakePrice) => void): void {
  const team = fakeProduct({ name: "Team", description: "For a company" });
  const starter = fakeProduct({ name: "Starter" });
  sell(team);
  sell(starter);
  sell(fakePrice({ product: starter.id, unit_amount: 900 }));
  sell(fakePrice({ product: team.id, unit_amount: 29_000, recurring: fakeRecurring({ interval: "year" }) }));
  sell(fakePrice({ product: team.id, unit_amount: 2_900 }));
}
