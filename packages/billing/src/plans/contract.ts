import { Id, billingIntervals, explained, pageAfterProviderId, sharedFields, anyOf } from "@purser/core";
import { z } from "zod";

const BillingTrial = z
  .object({
    interval: z.enum(billingIntervals).meta(explained(`The unit: ${anyOf(billingIntervals)}.`, "day")),
    interval_count: z.int().meta(explained("The number of intervals: 14 with `day` is two weeks.", 14)),
  })
  .meta({ id: "BillingTrial", description: "A free time before the first payment." });

export const BillingPlanVariant = z
  .object({
    id: z
      .string()
      .meta(
        explained(
          "The variant's id at the payment provider. It is the `variantId` of a checkout.",
          "local_team_monthly",
        ),
      ),
    price: z
      .int()
      .meta(explained("The price per `interval_count` intervals, in minor units of `currency`.", 2900)),
    currency: z.string().meta(sharedFields.currency),
    interval: z
      .enum(billingIntervals)
      .meta(explained(`The unit of the time between two payments: ${anyOf(billingIntervals)}.`, "month")),
    interval_count: z
      .int()
      .meta(explained("The number of intervals between two payments: 3 with `month` is quarterly.", 1)),
    trial: BillingTrial.nullable().meta(
      explained(
        "The free time before the first payment. An organization that has had a subscription gets none, except at Paddle, and the provider may refuse it to other customers. Null without one.",
      ),
    ),
    setupFee: z
      .int()
      .meta(explained("What is due once, beside the price, in minor units of `currency`. 0 without one.", 0)),
  })
  .meta({ id: "BillingPlanVariant", description: "A price of a plan." });

export const BillingPlan = z
  .object({
    id: z
      .string()
      .meta(
        explained("The plan's id at the payment provider. It is the `planId` of a checkout.", "local_team"),
      ),
    name: z.string().meta(explained("The plan's name.", "Team")),
    description: z
      .string()
      .nullable()
      .meta(
        explained(
          "What the plan includes. Null if the provider has no description.",
          "Cards with spending policies for the whole team",
        ),
      ),
    storeId: z
      .string()
      .nullable()
      .meta(explained("The number of the Lemon Squeezy store. Null for every other provider.", null)),
    variants: z.array(BillingPlanVariant).meta(explained("The prices of the plan, at least one.")),
  })
  .meta({ id: "BillingPlan", description: "A plan that can be subscribed to." });

export const SubscribedPlan = BillingPlan.pick({ name: true, description: true })
  .extend({
    variant: BillingPlanVariant.nullable().meta(
      explained("The subscribed variant, with its price. Null if it is no longer on sale."),
    ),
  })
  .meta({
    id: "SubscribedPlan",
    description: "The plan of a subscription, as its payment provider sells it now.",
  });

export const ListPlans = z.strictObject(pageAfterProviderId(Id, "local_team"));
