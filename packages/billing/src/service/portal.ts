import { Problem } from "@purser/core";
import type { z } from "zod";
import { trustedRedirect } from "@purser/platform";
import { transactAfterProviderCall } from "@purser/platform";
import type { BillingContext } from "../context.ts";
import type { OpenPortal } from "../contract.ts";
import { findSubscription } from "../store.ts";
import { callPaymentProvider } from "../providers.ts";

/** Gives the address of a page of the provider on which the customer sees to the subscription. */
export function openPortal(ctx: BillingContext, input: z.output<typeof OpenPortal>): Promise<string> {
  const returnUrl = trustedRedirect(ctx, input.redirectUrl, "/");
  return transactAfterProviderCall(
    ctx,
    input,
    async () => {
      const subscription = await findSubscription(ctx.db, input.subscriptionId);
      if (subscription === undefined) throw new Problem("SUBSCRIPTION_NOT_FOUND");
      const { id, customerId, provider: name } = subscription;
      if (name === null) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
      return callPaymentProvider(ctx, name, (provider) => {
        if (!provider.capabilities.portal) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
        return provider.createPortal({ id, customerId, returnUrl });
      });
    },
    // An address that lets people in is nothing for the audit trail, and opening it changes nothing.
    async (_transaction, url) => url,
  );
}
