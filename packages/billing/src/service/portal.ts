import { Problem } from "@purser/core";
import {
  changeOrganization,
  consumeAttempt,
  transactAfterProviderCall,
  trustedRedirect,
} from "@purser/platform";
import type { z } from "zod";
import type { BillingContext } from "../context.ts";
import type { OpenPortal } from "../contract.ts";
import { callPaymentProvider } from "../providers.ts";
import { findSubscription, listSubscriptionRows } from "../store.ts";
import { lockForOwnerOfSubscription } from "./access.ts";

/** Every portal is a session at the provider, which limits the requests of all organizations together. */
const portalLimit = { limit: 20, windowSeconds: 60 };

/** Returns the URL of the provider's customer portal for a subscription. */
export function openPortal(ctx: BillingContext, input: z.output<typeof OpenPortal>): Promise<string> {
  const returnUrl = trustedRedirect(ctx, input.redirectUrl, "/");
  return transactAfterProviderCall(
    ctx,
    ctx.organization.id,
    input,
    async () => {
      const subscription = await findSubscription(ctx.db, input.subscriptionId);
      if (subscription === undefined) throw new Problem("SUBSCRIPTION_NOT_FOUND");
      const { id, customerId, provider: name } = subscription;
      if (name === null) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
      await changeOrganization(ctx, ctx.organization.id, (transaction) =>
        lockForOwnerOfSubscription(ctx, transaction),
      );
      await consumeAttempt(ctx, `portal:${subscription.organizationId}`, portalLimit);
      const own = await listSubscriptionRows(ctx.db, subscription.organizationId);
      const organizationSubscriptionIds = own
        .filter(({ provider }) => provider === name)
        .map((row) => row.id);
      return callPaymentProvider(ctx, name, (provider) => {
        if (!provider.capabilities.portal) throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
        return provider.createPortal({ id, customerId, returnUrl, organizationSubscriptionIds });
      });
    },
    // The URL grants access, so it stays out of the audit trail. Opening the portal changes nothing.
    async (transaction, url) => {
      await lockForOwnerOfSubscription(ctx, transaction);
      return url;
    },
  );
}
