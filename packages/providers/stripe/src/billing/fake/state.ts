import type { Clock } from "@purser/core";
import type { FakeCustomer, FakePrice, FakeProduct, FakeSession, FakeSubscription } from "./objects.ts";

/** All that Stripe knows, in the order in which it came to be. */
export interface FakeState {
  clock: Clock;
  products: Map<string, FakeProduct>;
  prices: Map<string, FakePrice>;
  customers: Map<string, FakeCustomer>;
  sessions: Map<string, FakeSession & { buys: { price: FakePrice; metadata: Record<string, string> } }>;
  subscriptions: Map<string, FakeSubscription>;
}

export const secondsOf = ({ clock }: Pick<FakeState, "clock">) => Math.floor(clock.now().getTime() / 1000);
