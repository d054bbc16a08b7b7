import type { Clock } from "@purser/core";
import {
  type FakePaddleCustomer,
  type FakePaddlePrice,
  type FakePaddleProduct,
  type FakePaddleSubscription,
  type FakePaddleTransaction,
  newPrice,
  newProduct,
  timestamp,
} from "./entities.ts";
import type { PaddleWebhooks } from "./vendor-contract.ts";

/** The state of Paddle, and its reactions to changes. */
export interface PaddleState {
  readonly clock: Clock;
  readonly products: Map<string, FakePaddleProduct>;
  readonly prices: Map<string, FakePaddlePrice>;
  readonly customers: Map<string, FakePaddleCustomer>;
  readonly transactions: Map<string, FakePaddleTransaction>;
  readonly subscriptions: Map<string, FakePaddleSubscription>;
  /** The domains on which checkouts may open. */
  readonly approvedDomains: Set<string>;
  /** The maximum page size. */
  mostPerPage: number;
  /** Creates an id in Paddle's form. Later ids sort after earlier ones. */
  newId(prefix: string): string;
  /** The current time in Paddle's format. */
  now(): string;
  /** Emits an event with the current state of the entity. */
  emit(type: keyof PaddleWebhooks, entity: object): void;
}

export function newPaddleState(clock: Clock, emit: PaddleState["emit"]): PaddleState {
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
    emit,
  };
}

/** Adds a product to the catalog. */
export function addProduct(state: PaddleState, fields: Partial<FakePaddleProduct> = {}): FakePaddleProduct {
  const product = { ...newProduct(state.newId("pro"), "Team"), ...fields };
  state.products.set(product.id, product);
  return product;
}

/** Adds a price to a product, monthly by default. */
export function addPrice(
  state: PaddleState,
  product: Pick<FakePaddleProduct, "id">,
  fields: Partial<FakePaddlePrice> = {},
): FakePaddlePrice {
  const price = { ...newPrice(state.newId("pri"), product), ...fields };
  state.prices.set(price.id, price);
  return price;
}
