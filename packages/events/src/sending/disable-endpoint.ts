import { type Logger, errorText } from "@purser/core";
import { mailOwners } from "@purser/organizations";
import { recordAudit, changeOrganization } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import type { WebhookEndpointEvent } from "../webhook-endpoints/feed-events/contract.ts";
import { disableEndpoint } from "../webhook-endpoints/service.ts";
import type { SendingPlatform } from "./context.ts";
import { endpointDisabled } from "./mail.ts";
import { webhookMetrics } from "./metrics.ts";
import { hasFailedTooLong } from "./rules.ts";
import { type EndpointLease, lockClaimedEndpoint } from "./store/claims.ts";

export type DisableReason = "gone" | "failing";

const sentences: Readonly<Record<DisableReason, string>> = {
  gone: "It answered with the status 410 (Gone).",
  failing: "Everything that was sent to it failed for five days.",
};

/**
 * Disables an endpoint that does not take events, tells its owners, and records the event. Does nothing if an owner has
 * enabled it since, or it has another address than the attempts: they say nothing about it then.
 */
export async function disableFailingEndpoint(
  platform: SendingPlatform & { logger: Logger },
  { url, ...claim }: EndpointLease & { url: string },
  why: DisableReason,
): Promise<void> {
  const { organizationId, id } = claim;
  const reason = sentences[why];
  const disable = () =>
    changeOrganization(platform, organizationId, async (transaction) => {
      const endpoint = await lockClaimedEndpoint(transaction, claim);
      if (endpoint?.url !== url) return false;
      const now = platform.clock.now();
      if (why === "failing" && !hasFailedTooLong(endpoint.failingSince, now)) return false;
      await disableEndpoint(transaction, claim, { reason, now }, (data) =>
        recordEvents<WebhookEndpointEvent>(platform, transaction, null, [
          { organizationId, type: "webhook_endpoint.disabled", subject: id, data },
        ]),
      );
      const action = "webhookEndpoints.disable";
      const details = { reason };
      recordAudit(transaction, { organizationId, at: now, actor: null, action, subject: id, details });
      const { origin } = new URL(url);
      const { appUrl } = platform.settings;
      await mailOwners(platform, transaction, organizationId, (organizationName) =>
        endpointDisabled({ organizationName, origin, reason, appUrl }),
      );
      return true;
    });
  try {
    if (await disable()) platform.meter.count(webhookMetrics.endpointsDisabled, { reason: why });
  } catch (error) {
    // The next failure tries again.
    platform.logger.warn({ endpointId: id, reason: errorText(error) }, "A webhook endpoint was not disabled");
  }
}
