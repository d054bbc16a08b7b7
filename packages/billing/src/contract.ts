import { Id, Instant, WebUrl, paymentProviderNames } from "@purser/core";
import { z } from "zod";
import { SubscriptionStatus } from "./subscriptions/contract.ts";

/** The payment providers that exist. */
export const PaymentProviderName = z.enum(paymentProviderNames).meta({ id: "PaymentProviderName" });
export type PaymentProviderName = z.infer<typeof PaymentProviderName>;

/** Where the browser continues. The service checks that its origin is trusted. */
const RedirectUrl = WebUrl.optional();

/** An id from any provider: 1 to 255 characters. */
const ExternalId = Id.min(1);

export const StartCheckout = z.strictObject({
  planId: Id,
  variantId: Id,
  teamId: Id,
  redirectUrl: RedirectUrl,
});

export const OpenPortal = z.strictObject({ subscriptionId: Id, redirectUrl: RedirectUrl });

export const TheSubscription = z.strictObject({ id: Id });

export const ResumedSubscription = z
  .object({ status: SubscriptionStatus })
  .meta({ id: "ResumedSubscription" });

export const SyncSubscription = z
  .strictObject({
    id: ExternalId,
    teamId: Id,
    customerId: ExternalId,
    status: SubscriptionStatus,
    planId: ExternalId,
    variantId: ExternalId,
    currentPeriodStart: Instant,
    currentPeriodEnd: Instant,
    canceledAt: Instant.nullable(),
    cancelAtPeriodEnd: z.boolean(),
  })
  .refine(({ currentPeriodStart, currentPeriodEnd }) => currentPeriodStart <= currentPeriodEnd, {
    path: ["currentPeriodEnd"],
    error: "Must not be before currentPeriodStart",
  });
