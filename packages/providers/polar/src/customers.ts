import { createCustomerSessions } from "@polar-sh/sdk/2026-10/services/customer_sessions";
import { createCustomers, getExternalCustomers } from "@polar-sh/sdk/2026-10/services/customers";
import { listMembers, updateMembers } from "@polar-sh/sdk/2026-10/services/customers/members";
import { listSubscriptions } from "@polar-sh/sdk/2026-10/services/subscriptions";
import {
  type AddressMove,
  type BillingCustomer,
  BillingError,
  type PortalRequest,
  nullIfNotFound,
} from "@purser/billing/ports";
import { z } from "zod";
import { type PolarCall, WithPolarId, isPolarId, listPolarPages } from "./client.ts";

/** Returns Polar's customer of an organization. Creates the customer if there is none yet. */
export async function findOrCreatePolarCustomer(
  call: PolarCall,
  { organizationId, name, email }: BillingCustomer,
): Promise<string> {
  const find = () =>
    nullIfNotFound(
      call("customers.get", WithPolarId, (client, options) =>
        getExternalCustomers(client)(organizationId, options),
      ),
    );
  const known = await find();
  if (known !== null) return known.id;
  const metadata = { purser_organization: organizationId };
  // Polar allows one customer per address, but a person may own several organizations. So the customer is a team, and
  // the address belongs to its owner.
  const team = { type: "team" as const, external_id: organizationId, name, owner: { email }, metadata };
  try {
    const made = await call("customers.create", WithPolarId, (client, options) =>
      createCustomers(client)(team, options),
    );
    return made.id;
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    // A concurrent request may have created it.
    const other = await find();
    if (other === null) throw error;
    return other.id;
  }
}

const Members = z.object({ items: z.array(WithPolarId.extend({ email: z.string() })) });

async function findOwner(call: PolarCall, customerId: string) {
  if (!isPolarId(customerId)) throw new BillingError("not_found", "Polar has no customer ids of this form");
  const { items } = await call("members.list", Members, (client, options) =>
    listMembers(client)(customerId, { role: "owner", limit: 1 }, options),
  );
  return items[0];
}

/** Changes the address of the customer's owner, unless it is not `from` any more. */
export async function movePolarCustomer(
  call: PolarCall,
  customerId: string,
  { from, to }: AddressMove,
): Promise<void> {
  const owner = await findOwner(call, customerId);
  if (owner?.email !== from) return;
  await call("members.update", WithPolarId, (client, options) =>
    updateMembers(client)(customerId, owner.id, { email: to }, options),
  );
}

const Session = z.object({ customer_portal_url: z.url() });

/**
 * Returns the URL of Polar's customer portal, for the owner of the customer. It shows everything that the customer bought.
 * Throws `shared_customer` if that is more than the organization's.
 */
export async function createPolarPortal(
  call: PolarCall,
  { customerId, returnUrl, organizationSubscriptionIds }: PortalRequest,
): Promise<string> {
  const owner = await findOwner(call, customerId);
  const bought = await listPolarPages(call, "subscriptions.list", WithPolarId, (client, page, options) =>
    listSubscriptions(client)({ customer_id: customerId, ...page }, options),
  );
  if (bought.some(({ id }) => !organizationSubscriptionIds.includes(id)))
    throw new BillingError("shared_customer", "Polar: the customer has subscriptions of others");
  // The portal of a team customer admits members only. Polar's oldest accounts have no members.
  const visit = { customer_id: customerId, return_url: returnUrl, ...(owner && { member_id: owner.id }) };
  const session = await call("customer_sessions.create", Session, (client, options) =>
    createCustomerSessions(client)(visit, options),
  );
  return session.customer_portal_url;
}
