import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import type { Clock } from "@purser/core";
import { sellerId } from "./catalog.ts";

/** The state of Polar. */
export interface PolarState {
  readonly clock: Clock;
  products: models.Product[];
  readonly customers: models.Customer[];
  readonly members: models.Member[];
  readonly checkouts: models.Checkout[];
  /** Newest first, as Polar lists them. */
  readonly subscriptions: models.Subscription[];
}

/** Returns the resource with this id. Throws if there is none, because then the test is wrong. */
export function requireResource<T extends { id: string }>(resources: readonly T[], id: string | null): T {
  const found = resources.find((resource) => resource.id === id);
  if (found === undefined) throw new Error(`The fake Polar has no ${id}`);
  return found;
}

type NewCustomer = Pick<models.Customer, "name" | "external_id" | "metadata"> &
  ({ type: "team"; email: null } | { type: "individual"; email: string });

/** Creates a customer, and the member who owns it. */
export function addCustomer(
  { customers, members, clock }: PolarState,
  fields: NewCustomer,
  ownerEmail: string,
): models.Customer {
  const id = randomUUID();
  const times = { created_at: clock.now().toISOString(), modified_at: null };
  const { name, external_id = null } = fields;
  const customer: models.Customer = {
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
  };
  customers.push(customer);
  const owner = { id: randomUUID(), ...times, customer_id: id, email: ownerEmail, name, external_id };
  members.push({ ...owner, role: "owner" });
  return customer;
}
