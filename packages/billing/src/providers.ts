import { Problem } from "@purser/core";
import type { BillingPlatform } from "./context.ts";
import {
  BillingError,
  type BillingErrorKind,
  type PaymentProvider,
  type PaymentProviderName,
  type Payments,
} from "./ports.ts";

/** Loads each of these payment providers on first use. */
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

/** Calls a payment provider on behalf of a request, and translates a {@link BillingError} into a `Problem`. */
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
    retryable: error.kind === "outage" || error.kind === "rate_limited",
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });

const problems: Record<BillingErrorKind, (error: BillingError) => Problem> = {
  outage: providerFailed,
  rate_limited: providerFailed,
  // We hold a record of it, so its absence is the provider's fault. The checkout reports a missing plan itself.
  not_found: providerFailed,
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  ended: (cause) => new Problem("SUBSCRIPTION_ENDED", { cause }),
};
