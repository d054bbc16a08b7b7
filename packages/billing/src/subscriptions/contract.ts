import { Id, exampleIds, explained, explainedValues, sharedFields, subscriptionStatuses } from "@purser/core";
import { z } from "zod";
import { SubscribedPlan } from "../plans/contract.ts";

export const SubscriptionStatus = z.enum(subscriptionStatuses).meta({
  id: "SubscriptionStatus",
  ...explainedValues(
    subscriptionStatuses,
    "The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.",
    {
      ACTIVE: "it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.",
      CANCELED: "it has ended and cannot be resumed.",
      PAST_DUE: "a payment failed, and the provider tries again.",
      UNPAID: "all attempts to be paid failed, or the subscription is paused.",
      INCOMPLETE: "the first payment has not succeeded yet.",
    },
  ),
});
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** Explains what a subscription has, and what an administrator enters. */
export const subscriptionFields = {
  id: explained("The subscription's id at its payment provider.", exampleIds.sub),
  idOfInput: explained("The subscription: its `id` in `organizations.subscription.get`.", exampleIds.sub),
  customerId: explained("The customer's id at the payment provider.", "cus_R7nQx2LkdIwHu7"),
  planId: explained(
    "The plan: its id at the payment provider. `billing.plans.list` has its name.",
    "local_team",
  ),
  variantId: explained(
    "The variant of the plan: its price's id at the payment provider. `billing.plans.list` has its price and interval.",
    "local_team_monthly",
  ),
  currentPeriodStart: explained(
    "When the period that is paid, or is to be paid, starts.",
    new Date("2026-03-02T09:15:00.000Z"),
  ),
  currentPeriodEnd: explained(
    "When the period ends. The subscription renews then, and the next payment is due, unless it is canceled.",
    new Date("2026-04-02T09:15:00.000Z"),
  ),
  canceledAt: explained("When the cancellation was requested. Null if there is none.", null),
  cancelAtPeriodEnd: explained(
    "Whether the subscription ends at `currentPeriodEnd`. Until then, resuming it withdraws the cancellation.",
    false,
  ),
};

export const Subscription = z
  .object({
    id: z.string().meta(subscriptionFields.id),
    organizationId: z.string().meta(sharedFields.organizationId),
    customerId: z.string().meta(subscriptionFields.customerId),
    status: SubscriptionStatus,
    planId: z.string().meta(subscriptionFields.planId),
    variantId: z.string().meta(subscriptionFields.variantId),
    currentPeriodStart: z.date().meta(subscriptionFields.currentPeriodStart),
    currentPeriodEnd: z.date().meta(subscriptionFields.currentPeriodEnd),
    canceledAt: z.date().nullable().meta(subscriptionFields.canceledAt),
    cancelAtPeriodEnd: z.boolean().meta(subscriptionFields.cancelAtPeriodEnd),
  })
  .meta({
    id: "Subscription",
    description: "An organization's subscription to a plan, as its payment provider has it.",
  });

/** A subscription with what the caller may do about it. */
const describedSubscription = Subscription.extend({
  plan: SubscribedPlan.nullable().meta(
    explained(
      "The name and the price of the plan, as `billing.plans.list` has them. Null if it is no longer on sale.",
    ),
  ),
  isLive: z
    .boolean()
    .meta(
      explained(
        "Whether the subscription is in force. While it is, the organization cannot buy another one.",
        true,
      ),
    ),
  isTrial: z
    .boolean()
    .meta(
      explained(
        "Whether the current period is a trial. Unless the subscription is canceled, the first payment is due at its end, `currentPeriodEnd`.",
        false,
      ),
    ),
  isOverdue: z
    .boolean()
    .meta(explained("Whether a payment failed that keeps the subscription from being ACTIVE.", false)),
  canCancel: z.boolean().meta(explained("Whether the caller may cancel the subscription now.", true)),
  canResumeLater: z
    .boolean()
    .meta(
      explained(
        "Whether a cancellation could be withdrawn until the period ends. False if it may end the subscription at once.",
        true,
      ),
    ),
  canResume: z
    .boolean()
    .meta(explained("Whether the caller may withdraw the cancellation of the subscription now.", false)),
  canOpenPortal: z
    .boolean()
    .meta(
      explained(
        "Whether the provider has a customer portal for the subscription, and the caller may open it.",
        true,
      ),
    ),
});

const OtherSubscription = describedSubscription.meta({
  id: "OtherSubscription",
  description: "Another live subscription of an organization, with what the caller may do about it.",
});

export const CurrentSubscription = describedSubscription
  .extend({
    isTrialEligible: z
      .boolean()
      .meta(
        explained(
          "Whether the next subscription of the organization starts with the trial of its plan. It does until one has been in force, so without a subscription it does.",
          false,
        ),
      ),
    others: z
      .array(OtherSubscription)
      .meta(
        explained(
          "The other subscriptions that are live, the latest first. Mostly none: there are some if an administrator entered one, or if the organization pays twice.",
          [],
        ),
      ),
  })
  .meta({
    id: "CurrentSubscription",
    description: "The subscription that an organization shows, with what the caller may do about it.",
  });

export const GetSubscription = z.strictObject({ organizationId: Id.meta(sharedFields.organizationId) });
