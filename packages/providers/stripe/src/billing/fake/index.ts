import type { Clock } from "@purser/core";
import { signed, webhookSecret } from "../../fake/events.ts";
import { type StripeServer, startServer } from "../../fake/server.ts";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { PaymentProvider } from "@purser/billing/ports";
import type { StripeConfig } from "../settings.ts";
import { stripePayments } from "../index.ts";
import { beginPeriod, cancelInPortal, complete, end, fakeEvent, put } from "./lifecycle.ts";
import {
  type FakePrice,
  type FakeProduct,
  type FakeSubscription,
  fakePrice,
  fakeProduct,
  fakeRecurring,
} from "./objects.ts";
import { respond } from "./routes.ts";
import type { FakeState } from "./state.ts";

/** A Stripe with two plans, Starter and Team, and the adapter before it. */
export interface StripeFake extends BillingFake, Omit<StripeServer, "stop"> {
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
  const server = await startServer((call, fields) => respond(state, call, fields));
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
