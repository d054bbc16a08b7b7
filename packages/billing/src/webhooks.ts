import type { BillingPlatform } from "./context.ts";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { refreshCatalog } from "./plans/service.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";

/**
 * The payment providers' webhooks. An event only says what to look at: what has become of it is asked for, so that
 * events may come late, twice, in any order, or not at all.
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
      await refreshCatalog(platform, provider);
      return "APPLIED";
    },
  }));
}
