import { addMs, dayMs } from "@purser/core";
import type { ServicePlatform } from "@purser/router";

/** Advances the subscriptions of the built-in payment provider to the present, if it is on. */
export async function tickSandboxBilling(platform: ServicePlatform): Promise<void> {
  if (!platform.payments.configured.includes("local")) return;
  const { tickSandboxSubscriptions } = await import("@purser/billing/sandbox");
  await tickSandboxSubscriptions(platform);
}

/** For this long an ended page answers that it is closed. */
const retentionMs = dayMs;

/** Hourly: deletes pages of the built-in providers that ended a day ago. */
export async function purgeSandboxPages(platform: ServicePlatform): Promise<void> {
  const before = addMs(platform.clock.now(), -retentionMs);
  if (platform.settings.sandbox) {
    const { purgeSandboxLinks } = await import("@purser/banking/sandbox");
    await purgeSandboxLinks(platform.db, before);
  }
  if (platform.payments.configured.includes("local")) {
    const { purgeSandboxBillingPages } = await import("@purser/billing/sandbox");
    await purgeSandboxBillingPages(platform, before);
  }
}
