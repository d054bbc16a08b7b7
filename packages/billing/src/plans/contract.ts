import { Id, billingIntervals, page } from "@purser/core";
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

export const ListPlans = z.strictObject({
  limit: page("req").limit,
  // A plan's id comes from its provider.
  after: Id.optional(),
});
