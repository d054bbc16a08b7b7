import { newId } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { readSandboxEvent, sandboxSecret, verifySandboxEvent } from "@purser/platform/inbox";
import { platformJobs } from "@purser/platform/jobs";
import type { Settings } from "@purser/platform/settings";
import type { BillingWebhooks } from "../ports.ts";
import type { SandboxBillingEventType } from "./rules/lifecycle.ts";

/** Verifies and reads the built-in provider's events, like those of any other provider. */
export function sandboxBillingWebhooks(settings: Pick<Settings, "authSecret">): BillingWebhooks {
  const secret = sandboxSecret(settings, "billing");
  return {
    verify: (body, headers, now) => verifySandboxEvent(secret, body, headers, now),
    read({ body }) {
      // Every event is about a subscription.
      const { subscriptionId, organizationId } = readSandboxEvent(body)?.data ?? {};
      if (typeof subscriptionId !== "string" || typeof organizationId !== "string") return null;
      return { kind: "subscription", subscriptionId, organizationId };
    },
  };
}

/** Enqueues the events of a subscription. They are delivered after the transaction commits. */
export async function enqueueSandboxBillingEvents(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  events: readonly SandboxBillingEventType[],
  { organizationId, id: subscriptionId }: TenantKey,
): Promise<void> {
  for (const type of events) {
    const event = { id: newId("evt", clock.now()), type, data: { organizationId, subscriptionId } };
    await outbox.enqueue(transaction, platformJobs.deliverSandboxEvent, {
      area: "billing",
      provider: "local",
      event,
    });
  }
}
