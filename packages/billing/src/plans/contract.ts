import { Id, billingIntervals, pageAfterProviderId } from "@purser/core";
import { z } from "zod";

const Variant = z
  .object({
    id: z.string(),
    price: z.int(),
    currency: z.string(),
    interval: z.enum(billingIntervals),
    interval_count: z.int(),
  })
  .meta({ id: "BillingPlanVariant" });

export const BillingPlan = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    storeId: z.string().nullable(),
    variants: z.array(Variant),
  })
  .meta({ id: "BillingPlan" });

export const ListPlans = z.strictObject(pageAfterProviderId(Id, "team"));
