import { eventContract } from "@purser/core";
import type { z } from "zod";
import { Subscription } from "../subscriptions/contract.ts";

/** The events of subscriptions. */
export const subscriptionEventContracts = [
  eventContract("subscription.created", Subscription, "An organization subscribed to a plan."),
  eventContract(
    "subscription.updated",
    Subscription,
    "A subscription changed: its plan, its status, or its cancellation.",
  ),
  eventContract("subscription.past_due", Subscription, "A payment failed. The provider tries again."),
  eventContract("subscription.canceled", Subscription, "A subscription has ended."),
  eventContract(
    "subscription.renewed",
    Subscription,
    "A subscription was paid for another period, on time or after a failed payment.",
  ),
] as const;

export type SubscriptionEvent = z.output<(typeof subscriptionEventContracts)[number]>;
