import { Problem } from "@purser/core";
import type { BillingPlatform } from "../context.ts";
import type { Platform } from "../../platform/context.ts";
import {
  BillingError,
  type BillingErrorKind,
  type PaymentProvider,
  type Payments,
  type ProviderName,
} from "../ports.ts";

type Parts = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** The payment providers that the settings name, each loaded when it is first asked for. */
export function openPayments(parts: Parts): Payments {
  const loaders = loadersOf(parts);
  const loaded = new Map<ProviderName, Promise<PaymentProvider>>();
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

function loadersOf(parts: Parts): Map<ProviderName, () => Promise<PaymentProvider>> {
  const { localBilling, stripeBilling, paddle, polar, lemonSqueezy, baseUrl } = parts.settings;
  const { clock } = parts;
  const loaders = new Map<ProviderName, () => Promise<PaymentProvider>>();
  if (stripeBilling !== null)
    loaders.set("stripe", async () =>
      (await import("../providers/stripe/stripe.ts")).stripePayments({ ...stripeBilling, clock }),
    );
  if (paddle !== null) {
    const checkoutUrl = `${baseUrl}/billing/paddle`;
    loaders.set("paddle", async () =>
      (await import("../providers/paddle/paddle.ts")).paddlePayments({ ...paddle, checkoutUrl, clock }),
    );
  }
  if (polar !== null)
    loaders.set("polar", async () => (await import("../providers/polar/polar.ts")).polarPayments(polar));
  if (lemonSqueezy !== null)
    loaders.set("lemonsqueezy", async () =>
      (await import("../providers/lemonsqueezy/lemonsqueezy.ts")).lemonsqueezyPayments({
        ...lemonSqueezy,
        clock,
      }),
    );
  if (localBilling)
    loaders.set("local", async () => (await import("../providers/local/local.ts")).localPayments(parts));
  return loaders;
}

/** Asks a payment provider something, and gives its refusals and failures their place in the catalogue. */
export async function askPayments<Answer>(
  { payments }: Pick<BillingPlatform, "payments">,
  name: ProviderName,
  question: (provider: PaymentProvider) => Promise<Answer>,
): Promise<Answer> {
  const provider = await payments.at(name);
  try {
    return await question(provider);
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
