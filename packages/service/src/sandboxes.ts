import type { ServicePlatform } from "@purser/router";

/** Applies what time has brought to the subscriptions at the built-in payment provider, where it is on. */
export async function tickSandboxBilling(platform: ServicePlatform): Promise<void> {
  if (!platform.payments.configured.includes("local")) return;
  const { tickSandboxSubscriptions } = await import("@purser/billing/sandbox");
  await tickSandboxSubscriptions(platform);
}

/** Until then a late visitor of such a page reads that it is closed. */
const retentionMs = 24 * 60 * 60 * 1000;

/** Hourly: deletes the pages of the built-in providers, where they are on, that ended a day ago. */
export async function purgeSandboxPages(platform: ServicePlatform): Promise<void> {
  const before = new Date(platform.clock.now().getTime() - retentionMs);
  if (platform.settings.sandbox) {
    const { purgeSandboxLinks } = await import("@purser/banking/sandbox");
    await purgeSandboxLinks(platform.db, before);
  }
  if (platform.payments.configured.includes("local")) {
    const { purgeSandboxBillingPages } = await import("@purser/billing/sandbox");
    await purgeSandboxBillingPages(platform, before);
  }
}
