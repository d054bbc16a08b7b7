import type { MemberContext } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { Payments } from "./ports.ts";

/** The platform plus the payment providers that this service is configured for. */
export type BillingPlatform = Platform & { payments: Payments };

/** The context of a billing procedure inside an organization. */
export type BillingContext = MemberContext & BillingPlatform;
