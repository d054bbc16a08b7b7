import type { Clock } from "@purser/core";
import {
  currencies as currencyList,
  documented,
  secretList,
  variable,
  nonEmptyText,
} from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

/** Where Stripe bills cardholders: usually the company's own address. */
export interface BillingAddress {
  line1: string;
  line2?: string | undefined;
  city: string;
  state?: string | undefined;
  postalCode: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
}

export interface StripeIssuingSettings {
  /** The secret key, `sk_…` or `rk_…`, with the right to write Issuing. */
  apiKey: string;
  /**
   * The signing secrets, `whsec_…`: Stripe sends requests for authorizations to an endpoint of their own, and each
   * endpoint has its own secret, and two of them while one is rolled.
   */
  webhookSecrets: readonly string[];
  billingAddress: BillingAddress;
  /** The currencies of the account's cards; EUR, GBP and USD by default. */
  currencies?: readonly string[] | undefined;
}

export const stripeIssuingSettings = defineProviderSettings({
  variables: {
    STRIPE_ISSUING_API_KEY: nonEmptyText("a secret or restricted key of a Stripe account")
      .optional()
      .meta(documented("none: Stripe Issuing is not used", "The key by which cards are issued at Stripe.")),
    STRIPE_ISSUING_WEBHOOK_SECRETS: secretList()
      .optional()
      .meta(
        documented(
          "none",
          "The signing secrets, separated by commas, of the endpoints at `BASE_URL/api/webhooks/cards/stripe`.",
        ),
      ),
    STRIPE_ISSUING_BILLING_ADDRESS: billingAddressField()
      .optional()
      .meta(
        documented("none", "Where cardholders are billed: `line1; city; postal code; country`, such as GB."),
      ),
    STRIPE_ISSUING_CURRENCIES: currencyList()
      .default([])
      .meta(documented("any", "What the Stripe account issues cards in, separated by commas.")),
  },
  setTogether: [
    ["STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_WEBHOOK_SECRETS"],
    ["STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_BILLING_ADDRESS"],
  ],
  fromVariables({
    STRIPE_ISSUING_API_KEY: apiKey,
    STRIPE_ISSUING_WEBHOOK_SECRETS: webhookSecrets,
    STRIPE_ISSUING_BILLING_ADDRESS: billingAddress,
    STRIPE_ISSUING_CURRENCIES: currencies,
  }): StripeIssuingSettings | null {
    if (!apiKey || !webhookSecrets || !billingAddress) return null;
    return { apiKey, webhookSecrets, billingAddress, ...(currencies.length > 0 && { currencies }) };
  },
});

function billingAddressField() {
  return variable("an address as line1; city; postal code; country", (text): BillingAddress | null => {
    const [line1, city, postalCode, country = "", ...rest] = text.split(";").map((part) => part.trim());
    const isWhole = line1 && city && postalCode && /^[A-Z]{2}$/.test(country) && rest.length === 0;
    return isWhole ? { line1, city, postalCode, country } : null;
  });
}

export interface StripeConfig extends StripeIssuingSettings {
  /** The API's address, if not Stripe's own one. */
  baseUrl?: string | undefined;
  /** The longest time of one request; 20 seconds by default. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
