import { createCustomerSessions } from "@polar-sh/sdk/2026-10/services/customer_sessions";
import { createCustomers, getExternalCustomers } from "@polar-sh/sdk/2026-10/services/customers";
import { listMembers } from "@polar-sh/sdk/2026-10/services/customers/members";
import { z } from "zod";
import { BillingError, type BillingCustomer } from "@purser/billing/ports";
import type { PolarCall } from "./client.ts";
import { nullIfNotFound } from "./errors.ts";
import { WithPolarId, isPolarId } from "./mapping.ts";

/** Polar's id of the team's customer, which is made when there is none yet. */
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
  // Polar has one customer for an address, but a person may own several teams: so the address is the team owner's.
  const team = { type: "team" as const, external_id: organizationId, name, owner: { email }, metadata };
  try {
    const made = await call("customers.create", WithPolarId, (client, options) =>
      createCustomers(client)(team, options),
    );
    return made.id;
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    // Two may have looked at once, and the other one has made it.
    const other = await find();
    if (other === null) throw error;
    return other.id;
  }
}

const Members = z.object({ items: z.array(WithPolarId) });
const Session = z.object({ customer_portal_url: z.url() });

/** The address of Polar's portal, for the owner of the customer. */
export async function createPolarPortal(
  call: PolarCall,
  { customerId, returnUrl }: { customerId: string; returnUrl: string },
): Promise<string> {
  if (!isPolarId(customerId)) throw new BillingError("not_found", "It is no customer of Polar's");
  const { items } = await call("members.list", Members, (client, options) =>
    listMembers(client)(customerId, { role: "owner", limit: 1 }, options),
  );
  // Into the portal of a team only a member is let. Polar's oldest accounts have no members at all.
  const [owner] = items;
  const visit = { customer_id: customerId, return_url: returnUrl, ...(owner && { member_id: owner.id }) };
  const session = await call("customer_sessions.create", Session, (client, options) =>
    createCustomerSessions(client)(visit, options),
  );
  return session.customer_portal_url;
}
