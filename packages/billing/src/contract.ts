import { Id, Instant, WebUrl, explained, paymentProviderNames, sharedFields, anyOf } from "@purser/core";
import { z } from "zod";
import { SubscriptionStatus, subscriptionFields } from "./subscriptions/contract.ts";

/** The payment providers that exist. */
export const PaymentProviderName = z.enum(paymentProviderNames).meta({
  id: "PaymentProviderName",
  ...explained(
    `A payment provider: ${anyOf(paymentProviderNames)}. \`local\` is built in, for trying things out.`,
    "stripe",
  ),
});
export type PaymentProviderName = z.infer<typeof PaymentProviderName>;

/** Where the browser continues. The service checks that its origin is trusted. */
const RedirectUrl = WebUrl.meta(sharedFields.redirectUrl).optional();

/** An id from any provider: 1 to 255 characters. */
const ExternalId = Id.min(1);

export const StartCheckout = z.strictObject({
  planId: Id.meta({
    ...subscriptionFields.planId,
    description: "The plan: its `id` in `billing.plans.list`.",
  }),
  variantId: Id.meta({
    ...subscriptionFields.variantId,
    description: "The variant of the plan: its `id` there.",
  }),
  teamId: Id.meta(sharedFields.teamId),
  redirectUrl: RedirectUrl,
});

export const OpenPortal = z.strictObject({
  subscriptionId: Id.meta(subscriptionFields.idOfInput),
  redirectUrl: RedirectUrl,
});

export const TheSubscription = z.strictObject({ id: Id.meta(subscriptionFields.idOfInput) });

export const ResumedSubscription = z
  .object({ status: SubscriptionStatus })
  .meta({ id: "ResumedSubscription", description: "The status of a subscription after it was resumed." });

export const SyncSubscription = z
  .strictObject({
    id: ExternalId.meta({
      ...subscriptionFields.id,
      description:
        "The subscription's id, of 1 to 255 characters. An existing subscription with it is overwritten. If no payment provider knows it, the subscription is manual.",
    }),
    teamId: Id.meta(sharedFields.teamId),
    customerId: ExternalId.meta(subscriptionFields.customerId),
    status: SubscriptionStatus,
    planId: ExternalId.meta(subscriptionFields.planId),
    variantId: ExternalId.meta(subscriptionFields.variantId),
    currentPeriodStart: Instant.meta(subscriptionFields.currentPeriodStart),
    currentPeriodEnd: Instant.meta({
      ...subscriptionFields.currentPeriodEnd,
      description: "When the period ends, not before it starts. A canceled manual subscription ends then.",
    }),
    canceledAt: Instant.nullable().meta(subscriptionFields.canceledAt),
    cancelAtPeriodEnd: z.boolean().meta(subscriptionFields.cancelAtPeriodEnd),
  })
  .refine(({ currentPeriodStart, currentPeriodEnd }) => currentPeriodStart <= currentPeriodEnd, {
    path: ["currentPeriodEnd"],
    error: "Must not be before currentPeriodStart",
  });
