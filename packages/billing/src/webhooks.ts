import type { WebhookReceiver } from "@purser/platform/inbox";
import type { BillingPlatform } from "./context.ts";
import { refreshCatalogChangedAt } from "./service/catalogs.ts";
import { expireClosedCheckout } from "./service/close-checkout.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";

/**
 * One webhook receiver per configured payment provider.
 *
 * An event only names what to look at. The current state is always fetched from the provider, so events may arrive
 * late, twice, in any order, or never.
 */
export function billingReceivers(platform: BillingPlatform): WebhookReceiver[] {
  const { payments } = platform;
  return payments.configured.map((provider) => ({
    area: "billing",
    provider,
    async verify(body, headers, now) {
      return (await payments.at(provider)).webhooks.verify(body, headers, now);
    },
    async apply(event) {
      const notice = (await payments.at(provider)).webhooks.read(event);
      if (notice === null) return "IGNORED";
      if (notice.kind === "subscription") return synchronizeSubscription(platform, provider, notice);
      if (notice.kind === "checkout") return expireClosedCheckout(platform, provider, notice.reference);
      await refreshCatalogChangedAt(platform, provider, event.receivedAt);
      return "APPLIED";
    },
  }));
}
