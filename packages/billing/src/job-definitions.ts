import { defineJob, onSchedule } from "@purser/platform/jobs";
import type { PaymentProviderName, SubscriptionPointer } from "./ports.ts";

/** A subscription to fetch from its provider. */
export interface SubscriptionToFetch extends SubscriptionPointer {
  provider: PaymentProviderName;
}

/** A checkout to expire at its provider, so that it no longer accepts a payment. */
export interface CheckoutExpiry {
  provider: PaymentProviderName;
  reference: string;
}

/** A customer at its provider, whose address is no longer that of an owner. */
export interface CustomerMove {
  provider: PaymentProviderName;
  customerId: string;
  organizationId: string;
  /** The owner, who may be none by now. */
  userId: string;
  from: string;
}

/** Billing's jobs. */
export const billingJobs = {
  // All attempts end before the next reconciliation, which would enqueue the same subscription again.
  synchronize: defineJob<SubscriptionToFetch>("billing.synchronize", {
    retries: 8,
    pauseSeconds: 3,
    longestPauseSeconds: 60 * 60,
  }),
  expire: defineJob<CheckoutExpiry>("billing.expire", {
    retries: 8,
    pauseSeconds: 5,
    longestPauseSeconds: 60 * 60,
  }),
  moveCustomer: defineJob<CustomerMove>("billing.customer", {
    retries: 8,
    pauseSeconds: 5,
    longestPauseSeconds: 60 * 60,
  }),
  reconcile: defineJob<null>("billing.reconcile", onSchedule("7,37 * * * *")),
  refresh: defineJob<null>("billing.refresh", onSchedule("23 * * * *")),
};

/** The jobs of the built-in payment provider. */
export const sandboxBillingJobs = {
  tick: defineJob<null>("billing.tick", onSchedule("* * * * *")),
};
