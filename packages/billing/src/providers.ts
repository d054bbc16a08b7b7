import { Problem } from "@purser/core";
import { providerFailure } from "@purser/platform/providers";
import type { BillingPlatform } from "./context.ts";
import {
  BillingError,
  type BillingErrorKind,
  type PaymentProvider,
  type PaymentProviderName,
} from "./ports.ts";

/** Calls a payment provider on behalf of a request, and translates its errors into problems. */
export async function callPaymentProvider<Result>(
  { payments }: Pick<BillingPlatform, "payments">,
  name: PaymentProviderName,
  operation: (provider: PaymentProvider) => Promise<Result>,
): Promise<Result> {
  const provider = await payments.at(name);
  try {
    return await operation(provider);
  } catch (error) {
    throw paymentProblem(error);
  }
}

/** The problem that a caller sees for a payment provider's error. */
export function paymentProblem(error: unknown): unknown {
  return BillingError.is(error) ? problems[error.kind](error) : error;
}

const problems: Record<BillingErrorKind, (error: BillingError) => Problem> = {
  outage: (cause) => providerFailure(cause, { retryable: true }),
  rate_limited: (cause) => providerFailure(cause, { retryable: true }),
  // We hold a record of it, so its absence is the provider's fault. The checkout reports a missing plan itself.
  not_found: (cause) => providerFailure(cause, { retryable: false }),
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  ended: (cause) => new Problem("SUBSCRIPTION_ENDED", { cause }),
  shared_customer: (cause) =>
    new Problem("NOT_SUPPORTED_BY_PROVIDER", {
      cause,
      detail: "The customer portal would also show subscriptions that do not belong to this organization.",
      help: "The operator of this service can separate the customers at the provider.",
    }),
};
