import type { BillingPlatform } from "../context.ts";

/** What the pages of the built-in payment provider do; loaded when they are first asked for, like the provider itself. */
export const localBillingPages = () => import("../providers/local/pages.ts");

/** What the sandbox's own procedures do at the built-in payment provider. */
export const localBillingControls = () => import("../providers/local/controls.ts");

const upkeep = () => import("../providers/local/upkeep.ts");

/** Lets happen what time has brought to the subscriptions of the built-in payment provider, where there is one. */
export async function tickLocalBilling(platform: BillingPlatform): Promise<void> {
  if (platform.payments.configured.includes("local")) await (await upkeep()).tick(platform);
}

/** Deletes the built-in payment provider's checkouts and portals that ended before an instant without leaving anything. */
export async function tidyLocalBilling(platform: BillingPlatform, before: Date): Promise<void> {
  if (platform.payments.configured.includes("local")) await (await upkeep()).purge(platform, before);
}
