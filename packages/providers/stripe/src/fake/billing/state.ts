import type { Clock } from "@purser/core";
import type { FakeInvoice } from "./invoices.ts";
import type { FakeCustomer, FakePrice, FakeProduct, FakeSession, FakeSubscription } from "./objects.ts";

/** The objects of Stripe Billing by id, oldest first. */
export interface BillingState {
  clock: Clock;
  products: Map<string, FakeProduct>;
  prices: Map<string, FakePrice>;
  customers: Map<string, FakeCustomer>;
  sessions: Map<string, FakeSession & { buys: { price: FakePrice; metadata: Record<string, string> } }>;
  subscriptions: Map<string, FakeSubscription>;
  invoices: Map<string, FakeInvoice>;
}

export const emptyBilling = (clock: Clock): BillingState => ({
  clock,
  products: new Map(),
  prices: new Map(),
  customers: new Map(),
  sessions: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
});

export const secondsOf = ({ clock }: Pick<BillingState, "clock">) => Math.floor(clock.now().getTime() / 1000);
