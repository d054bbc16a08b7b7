import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import type { Clock } from "@purser/core";
import { sellerId } from "./catalog.ts";

/** The fields of a checkout that the adapter uses. */
export type FakeCheckout = Pick<
  models.Checkout,
  | "id"
  | "created_at"
  | "status"
  | "client_secret"
  | "url"
  | "expires_at"
  | "success_url"
  | "return_url"
  | "amount"
  | "currency"
  | "product_id"
  | "product_price_id"
  | "customer_id"
  | "customer_email"
  | "customer_name"
  | "external_customer_id"
  | "subscription_id"
  | "metadata"
>;

/** The state of Polar. */
export interface PolarState {
  readonly clock: Clock;
  products: models.Product[];
  readonly customers: models.Customer[];
  readonly members: models.Member[];
  readonly checkouts: FakeCheckout[];
  /** Newest first, as Polar lists them. */
  readonly subscriptions: models.Subscription[];
}

/** Returns the resource with this id. Throws if there is none, because then the test is wrong. */
export function known<T extends { id: string }>(things: readonly T[], id: string | null): T {
  const found = things.find((thing) => thing.id === id);
  if (found === undefined) throw new Error(`The stand-in for Polar has no ${id}`);
  return found;
}

export type NewCustomer = Pick<models.Customer, "type" | "email" | "name" | "external_id" | "metadata">;

/** Creates a customer, and the member who owns it. */
export function addCustomer(
  { customers, members, clock }: PolarState,
  fields: NewCustomer,
  ownerEmail: string,
): models.Customer {
  const id = randomUUID();
  const times = { created_at: clock.now().toISOString(), modified_at: null };
  const { name, external_id = null } = fields;
  const customer = {
    id,
    ...times,
    ...fields,
    email_verified: false,
    billing_name: null,
    billing_address: null,
    tax_id: null,
    organization_id: sellerId,
    deleted_at: null,
    first_user_event_at: null,
    avatar_url: null,
  } as models.Customer;
  customers.push(customer);
  const owner = { id: randomUUID(), ...times, customer_id: id, email: ownerEmail, name, external_id };
  members.push({ ...owner, role: "owner" });
  return customer;
}
