import { hash } from "node:crypto";
import {
  type AddressMove,
  BillingError,
  type CustomerRequest,
  type PortalRequest,
} from "@purser/billing/ports";
import { z } from "zod";
import { type StripeCall, StripePageUrl, WithStripeId, listAllPages } from "../client.ts";
import { StripeMetadata } from "./subscriptions.ts";

const CustomerList = z.object({ data: z.array(WithStripeId.extend({ metadata: StripeMetadata })) });

/** Returns Stripe's id of the team's customer. Creates the customer if there is none yet. */
export async function createStripeCustomer(
  call: StripeCall,
  { organizationId, name, email, checkoutId }: CustomerRequest,
): Promise<string> {
  const known = await call("customers.list", CustomerList, (stripe, options) =>
    stripe.customers.list({ email, limit: 100 }, options),
  );
  const found = known.data.find(({ metadata }) => metadata.purser_organization === organizationId);
  if (found !== undefined) return found.id;
  const fields = { name, email, metadata: { purser_organization: organizationId } };
  // The key is of this checkout alone, because Stripe repeats an error for the key. It includes a hash of the fields
  // because Stripe rejects a key that it has seen with other parameters.
  const details = hash("sha256", JSON.stringify(fields), "hex").slice(0, 16);
  const idempotencyKey = `${checkoutId}:customer:${details}`;
  const created = await call("customers.create", WithStripeId, (stripe, options) =>
    stripe.customers.create(fields, { ...options, idempotencyKey }),
  );
  return created.id;
}

const CustomerAddress = z.object({ email: z.string().nullish() });

/** Changes the customer's address, unless it is not `from` any more. */
export async function moveStripeCustomer(
  call: StripeCall,
  customerId: string,
  { from, to }: AddressMove,
): Promise<void> {
  const { email } = await call("customers.retrieve", CustomerAddress, (stripe, options) =>
    stripe.customers.retrieve(customerId, {}, options),
  );
  if (email !== from) return;
  await call("customers.update", WithStripeId, (stripe, options) =>
    stripe.customers.update(customerId, { email: to }, options),
  );
}

const Portal = z.object({ url: StripePageUrl });

/**
 * The account's portal configuration decides what the customer can do there. The portal shows everything that the customer
 * bought, and admits everyone with its URL. Throws `shared_customer` if that is more than the organization's.
 */
export async function createStripePortal(
  call: StripeCall,
  { customerId: customer, returnUrl: return_url, organizationSubscriptionIds }: PortalRequest,
): Promise<string> {
  const { url } = await call("billingPortal.sessions.create", Portal, (stripe, options) =>
    stripe.billingPortal.sessions.create({ customer, return_url }, options),
  );
  const bought = await listAllPages(call, "subscriptions.list", WithStripeId, (stripe, page, options) =>
    stripe.subscriptions.list({ customer, status: "all", ...page }, options),
  );
  if (bought.some(({ id }) => !organizationSubscriptionIds.includes(id)))
    throw new BillingError("shared_customer", "Stripe: the customer has subscriptions of others");
  return url;
}
