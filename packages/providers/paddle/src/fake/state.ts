import type { Clock } from "@purser/core";
import {
  type FakeCustomer,
  type FakePrice,
  type FakeProduct,
  type FakeSubscription,
  type FakeTransaction,
  newPrice,
  newProduct,
  timestamp,
} from "./entities.ts";

/** The state of Paddle, and its reactions to changes. */
export interface FakeState {
  readonly clock: Clock;
  readonly products: Map<string, FakeProduct>;
  readonly prices: Map<string, FakePrice>;
  readonly customers: Map<string, FakeCustomer>;
  readonly transactions: Map<string, FakeTransaction>;
  readonly subscriptions: Map<string, FakeSubscription>;
  /** The domains on which checkouts may open. */
  readonly approvedDomains: Set<string>;
  /** The maximum page size. */
  mostPerPage: number;
  /** Creates an id in Paddle's form. Later ids sort after earlier ones. */
  newId(prefix: string): string;
  /** The current time in Paddle's format. */
  now(): string;
  /** Emits an event with the current state of the entity. */
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

/** Adds a product to the catalog. */
export function addProduct(state: FakeState, fields: Partial<FakeProduct> = {}): FakeProduct {
  const product = { ...newProduct(state.newId("pro"), "Team"), ...fields };
  state.products.set(product.id, product);
  return product;
}

/** Adds a price to a product, monthly by default. */
export function addPrice(
  state: FakeState,
  product: Pick<FakeProduct, "id">,
  fields: Partial<FakePrice> = {},
): FakePrice {
  const price = { ...newPrice(state.newId("pri"), product), ...fields };
  state.prices.set(price.id, price);
  return price;
}
