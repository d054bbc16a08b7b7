import type { models } from "@polar-sh/sdk/2026-10";
import { createCheckouts, getCheckouts } from "@polar-sh/sdk/2026-10/services/checkouts";
import { listSubscriptions } from "@polar-sh/sdk/2026-10/services/subscriptions";
import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type CheckoutResult,
} from "@purser/billing/ports";
import { z } from "zod";
import { findPolarVariant } from "./catalog.ts";
import {
  type PolarCall,
  PolarTime,
  WithPolarId,
  isPolarId,
  listPolarPages,
  polarMetadata,
} from "./client.ts";
import { findOrCreatePolarCustomer } from "./customers.ts";

const CreatedCheckout = WithPolarId.extend({ url: z.url(), expires_at: PolarTime });

/** Creates a checkout for the organization's customer. Throws `not_found` when the price is not on sale. */
export async function createPolarCheckout(call: PolarCall, request: CheckoutRequest): Promise<Checkout> {
  const { planId, variantId, returnUrl } = request;
  const { currency } = await findPolarVariant(call, planId, variantId);
  const body: models.CheckoutCreate = {
    products: [planId],
    // A product has one price per currency, so the currency selects the variant.
    currency: currency.toLowerCase() as models.PresentmentCurrency,
    customer_email: request.email,
    customer_name: request.name,
    metadata: polarMetadata(request),
    success_url: returnUrl,
    return_url: returnUrl,
    ...(request.isTrialUsed && { allow_trial: false }),
  };
  // By an external id that Polar does not know, the purchase would go to the individual customer with the buyer's address.
  const create = async (customer_id: string): Promise<Checkout> => {
    const created = await call("checkouts.create", CreatedCheckout, (client, options) =>
      createCheckouts(client)({ ...body, customer_id }, options),
    );
    return { reference: created.id, url: created.url, expiresAt: created.expires_at };
  };
  const customerId = request.customerId ?? (await findOrCreatePolarCustomer(call, request));
  try {
    return await create(customerId);
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    // The customer may have been deleted at Polar.
    const present = await findOrCreatePolarCustomer(call, request);
    if (present === customerId) throw error;
    return create(present);
  }
}

const CheckoutStatus = WithPolarId.extend({
  status: z.string(),
  customer_id: z.string().refine(isPolarId).nullable(),
});
const SubscriptionCheckout = WithPolarId.extend({ checkout_id: z.string().nullable() });

/** See `PaymentProvider.checkoutResult`. A checkout is `confirmed` while its payment is under way. */
export async function polarCheckoutResult(call: PolarCall, reference: string): Promise<CheckoutResult> {
  if (!isPolarId(reference)) throw new BillingError("not_found", "Polar has no checkout ids of this form");
  const { status, customer_id: customer } = await call("checkouts.get", CheckoutStatus, (client, options) =>
    getCheckouts(client)(reference, options),
  );
  if (status === "confirmed") return { status: "processing" };
  if (status !== "succeeded") return { status: "unpaid" };
  if (customer === null) return { status: "processing" };
  // A checkout does not name its subscription, but the subscription names its checkout.
  const subscriptions = await listPolarPages(
    call,
    "subscriptions.list",
    SubscriptionCheckout,
    (client, page, options) => listSubscriptions(client)({ customer_id: customer, ...page }, options),
  );
  const bought = subscriptions.find(({ checkout_id: checkout }) => checkout === reference);
  return bought === undefined ? { status: "processing" } : { status: "paid", subscriptionId: bought.id };
}
