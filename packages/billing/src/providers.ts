import { Problem } from "@purser/core";
import type { BillingPlatform } from "./context.ts";
import {
  BillingError,
  type BillingErrorKind,
  type PaymentProvider,
  type Payments,
  type PaymentProviderName,
} from "./ports.ts";

/** Loads each of these payment providers on its first use. */
export function openPayments(
  loaders: ReadonlyMap<PaymentProviderName, () => Promise<PaymentProvider>>,
): Payments {
  const loaded = new Map<PaymentProviderName, Promise<PaymentProvider>>();
  return {
    configured: [...loaders.keys()],
    async at(name) {
      const load = loaders.get(name);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let provider = loaded.get(name);
      if (provider === undefined) loaded.set(name, (provider = load()));
      return provider;
    },
  };
}

/** Asks a payment provider something, and gives its refusals and failures their place in the catalogue. */
export async function callPaymentProvider<Answer>(
  { payments }: Pick<BillingPlatform, "payments">,
  name: PaymentProviderName,
  operation: (provider: PaymentProvider) => Promise<Answer>,
): Promise<Answer> {
  const provider = await payments.at(name);
  try {
    return await operation(provider);
  } catch (error) {
    throw error instanceof BillingError ? problems[error.kind](error) : error;
  }
}

const providerFailed = (error: BillingError) =>
  new Problem("PROVIDER_ERROR", {
    cause: error,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });

const problems: Record<BillingErrorKind, (error: BillingError) => Problem> = {
  outage: providerFailed,
  rate_limited: providerFailed,
  // What is on record here, the provider should have; where it is a plan, the caller is told by the checkout.
  not_found: providerFailed,
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  ended: (cause) => new Problem("SUBSCRIPTION_ENDED", { cause }),
};
