import type { CardholderDetailName, CardholderDetails } from "@purser/cards/ports";
import type { Clock } from "@purser/core";
import {
  currencies as currencyList,
  defineProviderSettings,
  flag,
  nonEmptyText,
  secretList,
  variable,
  variableDocs,
} from "@purser/platform/settings";

// This file must not import the SDK: the service reads settings before it knows which providers it needs.

/** What both products need to reach a Stripe account. Each product may use another account, or a narrower key. */
export interface StripeSettings {
  /**
   * A secret key, `sk_…`, or a restricted key, `rk_…`. Billing reads products, prices and invoices, and writes customers,
   * checkout sessions, customer portal sessions and subscriptions. Issuing writes cards and cardholders.
   */
  apiKey: string;
  /** The signing secrets of the webhook endpoints, `whsec_…`. An endpoint has two while its secret is rolled. */
  webhookSecrets: readonly string[];
}

/** What an adapter needs in addition to the settings of its product. */
export interface StripeConnection {
  /** Replaces `https://api.stripe.com`. */
  baseUrl?: string | undefined;
  /** Replaces the default timeout of the product. */
  timeoutMs?: number | undefined;
  clock: Clock;
}

export type StripeBillingConfig = StripeBillingSettings & StripeConnection;
export type StripeIssuingConfig = StripeIssuingSettings & StripeConnection;

export interface StripeBillingSettings extends StripeSettings {
  /** Whether Stripe Tax calculates the tax of subscriptions. Stripe refuses it without a tax registration. Default: false. */
  automaticTax?: boolean | undefined;
}

export interface StripeIssuingSettings extends StripeSettings {
  billingAddress: BillingAddress;
  /** The details that the program requires of every cardholder. None by default. */
  requiredDetails?: readonly CardholderDetailName[] | undefined;
  /** The publishable key of the same account, `pk_…`. Without it, cardholders cannot see the numbers of their cards. */
  publishableKey?: string | undefined;
  /** The currencies that the account issues cards in. Default: EUR, GBP and USD. */
  currencies?: readonly string[] | undefined;
}

/** The address that Stripe records for every cardholder: usually the company's. */
export type BillingAddress = NonNullable<CardholderDetails["address"]>;

const apiKeyField = () => nonEmptyText("a secret or restricted key of a Stripe account").optional();

export const stripeBillingSettings = defineProviderSettings({
  variables: {
    STRIPE_BILLING_API_KEY: apiKeyField().meta(
      variableDocs(
        "none: Stripe Billing is not used",
        "The API key of the Stripe account that sells subscriptions.",
      ),
    ),
    STRIPE_BILLING_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of the webhook endpoint at `BASE_URL/api/webhooks/billing/stripe`.",
      ),
    STRIPE_BILLING_AUTOMATIC_TAX: flag()
      .default(false)
      .meta(
        variableDocs(
          "`0`: no tax is collected",
          "Whether Stripe Tax calculates and collects the tax of new subscriptions. The Stripe account needs a tax registration.",
        ),
      ),
  },
  setTogether: [["STRIPE_BILLING_API_KEY", "STRIPE_BILLING_WEBHOOK_SECRETS"]],
  fromVariables({
    STRIPE_BILLING_API_KEY: apiKey,
    STRIPE_BILLING_WEBHOOK_SECRETS: webhookSecrets,
    STRIPE_BILLING_AUTOMATIC_TAX: automaticTax,
  }): StripeBillingSettings | null {
    return apiKey && webhookSecrets ? { apiKey, webhookSecrets, automaticTax } : null;
  },
});

/** The details that Stripe takes of a cardholder, besides a name. */
const stripeCardholderDetails = [
  "dateOfBirth",
  "phoneNumber",
  "address",
  "termsAcceptance",
] as const satisfies CardholderDetailName[];

export const stripeIssuingSettings = defineProviderSettings({
  variables: {
    STRIPE_ISSUING_API_KEY: apiKeyField().meta(
      variableDocs(
        "none: Stripe Issuing is not used",
        "The API key of the Stripe account that issues cards.",
      ),
    ),
    STRIPE_ISSUING_PUBLISHABLE_KEY: variable("a publishable key of a Stripe account, pk_…", (text) =>
      /^pk_(live|test)_\w{1,200}$/.test(text) ? text : null,
    )
      .optional()
      .meta(
        variableDocs(
          "none: card numbers cannot be shown",
          "The publishable key of the same account, with which a cardholder's browser shows the number of a card.",
        ),
      ),
    STRIPE_ISSUING_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of the webhook endpoints at `BASE_URL/api/webhooks/cards/stripe`.",
      ),
    STRIPE_ISSUING_BILLING_ADDRESS: billingAddressField()
      .optional()
      .describe(
        "The billing address of all cardholders: `line1; city; postal code; country`, or `line1; city; state; postal code; country`, as in the USA. The country is an ISO 3166-1 code such as GB.",
      ),
    STRIPE_ISSUING_CARDHOLDER_DETAILS: cardholderDetailsField()
      .default([])
      .describe(
        "What the Issuing program requires of every cardholder, separated by commas: `dateOfBirth`, `phoneNumber` (cards in the EU), `address`, `termsAcceptance` (cards in the USA).",
      ),
    STRIPE_ISSUING_CURRENCIES: currencyList()
      .default([])
      .meta(
        variableDocs(
          "`EUR,GBP,USD`",
          "The currencies, separated by commas, in which the Stripe account issues cards.",
        ),
      ),
  },
  setTogether: [
    ["STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_WEBHOOK_SECRETS"],
    ["STRIPE_ISSUING_API_KEY", "STRIPE_ISSUING_BILLING_ADDRESS"],
  ],
  fromVariables({
    STRIPE_ISSUING_API_KEY: apiKey,
    STRIPE_ISSUING_PUBLISHABLE_KEY: publishableKey,
    STRIPE_ISSUING_WEBHOOK_SECRETS: webhookSecrets,
    STRIPE_ISSUING_BILLING_ADDRESS: billingAddress,
    STRIPE_ISSUING_CARDHOLDER_DETAILS: requiredDetails,
    STRIPE_ISSUING_CURRENCIES: currencies,
  }): StripeIssuingSettings | null {
    if (!apiKey || !webhookSecrets || !billingAddress) return null;
    const issuing = { apiKey, publishableKey, webhookSecrets, billingAddress, requiredDetails };
    return { ...issuing, ...(currencies.length > 0 && { currencies }) };
  },
});

function cardholderDetailsField() {
  return variable(`a list of ${stripeCardholderDetails.join(", ")}`, (text) => {
    const names = text.split(",").map((name) => name.trim());
    const known = stripeCardholderDetails.filter((name) => names.includes(name));
    return known.length === new Set(names).size ? known : null;
  });
}

function billingAddressField() {
  const form = "line1; city; postal code; country, or line1; city; state; postal code; country";
  return variable(`an address as ${form}`, (text): BillingAddress | null => {
    const parts = text.split(";").map((part) => part.trim());
    const [line1, city, ...rest] = parts;
    const [country = "", postalCode, state] = rest.toReversed();
    const isComplete = parts.length <= 5 && !parts.includes("") && /^[A-Z]{2}$/.test(country);
    if (!isComplete || !line1 || !city || !postalCode) return null;
    return { line1, city, ...(state !== undefined && { state }), postalCode, country };
  });
}
