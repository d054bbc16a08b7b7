import { BillingError, type Checkout, type CheckoutRequest } from "@purser/billing/ports";
import { WebUrl, addMs } from "@purser/core";
import { z } from "zod";
import { isOnSale } from "./catalog.ts";
import { type LemonSqueezyCall, LemonSqueezyTime } from "./client.ts";
import type { LemonSqueezyConfig } from "./settings.ts";

/** A checkout cannot be expired early, not even when the team has subscribed elsewhere. So it lives for an hour only. */
const lifetimeMs = 60 * 60 * 1000;

const CheckoutResponse = z.object({
  data: z.object({
    id: z.string().min(1).max(255),
    attributes: z.object({ url: WebUrl, expires_at: LemonSqueezyTime.nullish() }),
  }),
});

/** Creates a checkout. Throws `not_found` when the variant is not on sale. */
export async function createLemonSqueezyCheckout(
  call: LemonSqueezyCall,
  { storeId, clock }: LemonSqueezyConfig,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { checkoutId, organizationId, planId, variantId, name, email, isTrialUsed, returnUrl } = request;
  // Lemon Squeezy creates checkouts for drafts, too.
  if (!(await isOnSale(call, storeId, { planId, variantId }))) {
    throw new BillingError("not_found", "Lemon Squeezy does not have the variant on sale");
  }
  const expiresAt = addMs(clock.now(), lifetimeMs);
  const { data } = await call("checkouts.create", CheckoutResponse, (sdk) =>
    sdk.createCheckout(storeId, variantId, {
      // Without it, the page offers every variant of the product.
      productOptions: { redirectUrl: returnUrl, enabledVariants: [Number(variantId)] },
      ...(isTrialUsed && { checkoutOptions: { skipTrial: true } }),
      checkoutData: {
        email,
        name,
        custom: { purser_organization: organizationId, purser_checkout: checkoutId },
      },
      expiresAt: expiresAt.toISOString(),
    }),
  );
  return { reference: data.id, url: data.attributes.url, expiresAt: data.attributes.expires_at ?? expiresAt };
}
