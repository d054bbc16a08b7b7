import type { Clock } from "@purser/core";
import { documented, secretList, nonEmptyText } from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

export interface StripeBillingSettings {
  /**
   * The secret key, `sk_…`, or a restricted one, `rk_…`, that may read products and prices, and write customers,
   * checkout sessions, customer portal sessions and subscriptions.
   */
  apiKey: string;
  /** The signing secrets of the endpoint, `whsec_…`: two of them while one is rolled. */
  webhookSecrets: readonly string[];
}

export const stripeBillingSettings = defineProviderSettings({
  variables: {
    STRIPE_BILLING_API_KEY: nonEmptyText("a secret or restricted key of a Stripe account")
      .optional()
      .meta(
        documented("none: Stripe Billing is not used", "The key by which subscriptions are sold at Stripe."),
      ),
    STRIPE_BILLING_WEBHOOK_SECRETS: secretList()
      .optional()
      .meta(
        documented(
          "none",
          "The signing secrets, separated by commas, of the endpoint at `BASE_URL/api/webhooks/billing/stripe`.",
        ),
      ),
  },
  setTogether: [["STRIPE_BILLING_API_KEY", "STRIPE_BILLING_WEBHOOK_SECRETS"]],
  fromVariables({
    STRIPE_BILLING_API_KEY: apiKey,
    STRIPE_BILLING_WEBHOOK_SECRETS: webhookSecrets,
  }): StripeBillingSettings | null {
    return apiKey && webhookSecrets ? { apiKey, webhookSecrets } : null;
  },
});

export interface StripeConfig extends StripeBillingSettings {
  /** The API's address, if not Stripe's own one. */
  baseUrl?: string | undefined;
  /** The longest time of one call of the port, with all of its requests; 7 seconds by default. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
