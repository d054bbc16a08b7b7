import { type Logger, errorText } from "@purser/core";
import { listOwners } from "@purser/organizations";
import { recordAudit, retryTransaction } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import { platformJobs } from "@purser/platform/jobs";
import type { WebhookEndpointEvent } from "../webhook-endpoints/events/contract.ts";
import { disableEndpoint } from "../webhook-endpoints/service.ts";
import { lockWebhookEndpoint } from "../webhook-endpoints/store.ts";
import type { SendingPlatform } from "./context.ts";
import { endpointDisabled } from "./mail.ts";
import { webhookMetrics } from "./metrics.ts";

export type GiveUpReason = "gone" | "failing";

const sentences: Readonly<Record<GiveUpReason, string>> = {
  gone: "It answered with the status 410 (Gone).",
  failing: "Everything that was sent to it failed for five days.",
};

/** Disables an endpoint that does not take events, tells its owners, and records the event. */
export async function giveUpEndpoint(
  platform: SendingPlatform & { logger: Logger },
  { organizationId, id }: { organizationId: string; id: string },
  why: GiveUpReason,
): Promise<void> {
  const reason = sentences[why];
  const disable = () =>
    platform.db.transaction(async (transaction) => {
      const endpoint = await lockWebhookEndpoint(transaction, { organizationId, id });
      if (endpoint?.status !== "ENABLED") return false;
      const now = platform.clock.now();
      await disableEndpoint(transaction, endpoint, { reason, now }, (data) =>
        recordEvents<WebhookEndpointEvent>(platform, transaction, null, [
          { organizationId, type: "webhook_endpoint.disabled", subject: id, data },
        ]),
      );
      const action = "webhookEndpoints.disable";
      const details = { reason };
      await recordAudit(transaction, { organizationId, at: now, actor: null, action, subject: id, details });
      const { origin } = new URL(endpoint.url);
      const owners = await listOwners(transaction, organizationId);
      const mails = owners.map(({ email: to, organizationName }) => ({
        to,
        ...endpointDisabled({ organizationName, origin, reason, appUrl: platform.settings.appUrl }),
      }));
      await platform.outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
      return true;
    });
  try {
    if (await retryTransaction(disable))
      platform.meter.count(webhookMetrics.endpointsDisabled, { reason: why });
  } catch (error) {
    // The next failure tries again.
    platform.logger.warn({ endpointId: id, reason: errorText(error) }, "A webhook endpoint was not disabled");
  }
}
