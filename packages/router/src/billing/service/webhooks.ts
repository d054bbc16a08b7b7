import type { WebhookReceiver } from "../../platform/inbox.ts";
import { refreshCatalogue } from "../plans/service.ts";
import type { Payments } from "../ports.ts";
import { synchronise } from "./synchronise.ts";

/**
 * The payment providers' webhooks. An event only says what to look at: what has become of it is asked for, so that
 * events may come late, twice, in any order, or not at all.
 */
export function billingReceivers(payments: Payments): WebhookReceiver[] {
  return payments.configured.map((provider) => ({
    area: "billing",
    provider,
    async verify(body, headers, now) {
      return (await payments.at(provider)).webhooks.verify(body, headers, now);
    },
    async apply(platform, event) {
      const notice = (await payments.at(provider)).webhooks.read(event);
      if (notice === null) return "IGNORED";
      if (notice.kind === "subscription") return synchronise(platform, provider, notice);
      await refreshCatalogue(platform, provider);
      return "APPLIED";
    },
  }));
}
