import { Id, subscriptionStatuses } from "@purser/core";
import { z } from "zod";

export const SubscriptionStatus = z.enum(subscriptionStatuses).meta({ id: "SubscriptionStatus" });
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

export const Subscription = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    customerId: z.string(),
    status: SubscriptionStatus,
    planId: z.string(),
    variantId: z.string(),
    currentPeriodStart: z.date(),
    currentPeriodEnd: z.date(),
    canceledAt: z.date().nullable(),
    cancelAtPeriodEnd: z.boolean(),
  })
  .meta({ id: "Subscription" });

export const GetSubscription = z.strictObject({ organizationId: Id });
