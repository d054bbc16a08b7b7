import type { CheckoutRequest, TeamClaim } from "@purser/billing/ports";
import { z } from "zod";

/** What many of Paddle's entities share: ids, times, and the custom data that names the organization. */

export const PaddleId = z.string().min(1).max(255);

/** RFC 3339, to the microsecond and beyond. */
export const PaddleTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Whether an id has the form of Paddle's ids. The SDK puts ids into request paths unescaped. */
export function isPaddleId(prefix: "ctm" | "pri" | "sub" | "txn", id: string): boolean {
  return id.startsWith(`${prefix}_`) && /^[a-z\d]{26}$/.test(id.slice(prefix.length + 1));
}

export function isPaddleSubscriptionId(subscriptionId: string): boolean {
  return isPaddleId("sub", subscriptionId);
}

const CustomData = z.object({
  purser_organization: z.string().min(1).max(255),
  purser_checkout: z.string().min(1).max(255),
});

/** The custom data of a transaction. The subscription inherits it. */
export function paddleCustomData({
  organizationId,
  checkoutId,
}: CheckoutRequest): z.infer<typeof CustomData> {
  return { purser_organization: organizationId, purser_checkout: checkoutId };
}

/**
 * Reads the organization from custom data. The token of Paddle.js is public: anyone with it can start a checkout and
 * write any organization into it. So the claim always names its checkout, which the caller looks up.
 */
export function paddleTeamClaim(customData: unknown): TeamClaim {
  const { data } = CustomData.safeParse(customData);
  if (data === undefined) return { organizationId: null };
  return { organizationId: data.purser_organization, checkoutId: data.purser_checkout };
}
