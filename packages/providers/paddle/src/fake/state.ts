import type { Clock } from "@purser/core";
import type { FakeCustomer, FakePrice, FakeProduct, FakeSubscription, FakeTransaction } from "./entities.ts";
import { newPrice, newProduct, timestamp } from "./entities.ts";

/** All that Paddle knows, and what it does when something happens. */
export interface FakeState {
  readonly clock: Clock;
  readonly products: Map<string, FakeProduct>;
  readonly prices: Map<string, FakePrice>;
  readonly customers: Map<string, FakeCustomer>;
  readonly transactions: Map<string, FakeTransaction>;
  readonly subscriptions: Map<string, FakeSubscription>;
  /** The domains on which checkouts may be opened. */
  readonly approvedDomains: Set<string>;
  /** At most so many things are on a page of a list. */
  mostPerPage: number;
  /** An id of Paddle's form. Those that are made later sort behind those that were made before. */
  newId(prefix: string): string;
  /** The time, as Paddle writes it. */
  now(): string;
  /** Tells of an event, with the thing as it is now. */
  happen(type: string, thing: object): void;
}

export function newState(clock: Clock, happen: FakeState["happen"]): FakeState {
  let made = 0;
  return {
    clock,
    products: new Map(),
    prices: new Map(),
    customers: new Map(),
    transactions: new Map(),
    subscriptions: new Map(),
    approvedDomains: new Set(["pay.example.com"]),
    mostPerPage: 200,
    newId: (prefix) => `${prefix}_01${String((made += 1)).padStart(24, "0")}`,
    now: () => timestamp(clock.now()),
    happen,
  };
}

/** Puts a product on sale. */
export function addProduct(state: FakeState, fields: Partial<FakeProduct> = {}): FakeProduct {
  const product = { ...newProduct(state.newId("pro"), "Team"), ...fields };
  state.products.set(product.id, product);
  return product;
}

/** Puts a price on a product: by the month, if nothing else is said. */
export function addPrice(
  state: FakeState,
  product: Pick<FakeProduct, "id">,
  fields: Partial<FakePrice> = {},
): FakePrice {
  const price = { ...newPrice(state.newId("pri"), product), ...fields };
  state.prices.set(price.id, price);
  return price;
}
