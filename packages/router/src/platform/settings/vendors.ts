import { billingAddress, currencies, digits, flag, oneOf, secretList, words } from "./fields.ts";
import { told } from "./told.ts";

/** The variables by which providers are reached: none of them is on before its own are set. */
export const banks = () => ({
  SANDBOX: flag()
    .optional()
    .meta(
      told(
        "1; in production 0",
        "Whether the built-in sandbox providers can be used and controlled: banks whose money is made up.",
      ),
    ),
  PLAID_CLIENT_ID: words("the client id of a Plaid account")
    .optional()
    .meta(told("none: Plaid is not used", "The client id at Plaid; its webhooks come to `BASE_URL`.")),
  PLAID_SECRET: words("the secret of that Plaid environment")
    .optional()
    .meta(told("none", "The secret that belongs to it.")),
  PLAID_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Plaid's own test banks.")),
  YAPILY_APPLICATION_ID: words("the id of a Yapily application")
    .optional()
    .meta(told("none: Yapily is not used", "The application's id at Yapily.")),
  YAPILY_APPLICATION_SECRET: words("the secret of that Yapily application")
    .optional()
    .meta(told("none", "The secret that belongs to it.")),
});

export const issuers = () => ({
  STRIPE_ISSUING_API_KEY: words("a secret or restricted key of a Stripe account")
    .optional()
    .meta(told("none: Stripe Issuing is not used", "The key by which cards are issued at Stripe.")),
  STRIPE_ISSUING_WEBHOOK_SECRETS: secretList()
    .optional()
    .meta(
      told(
        "none",
        "The signing secrets, separated by commas, of the endpoints at `BASE_URL/api/webhooks/cards/stripe`.",
      ),
    ),
  STRIPE_ISSUING_BILLING_ADDRESS: billingAddress()
    .optional()
    .meta(told("none", "Where cardholders are billed: `line1; city; postal code; country`, such as GB.")),
  STRIPE_ISSUING_CURRENCIES: currencies()
    .default([])
    .meta(told("any", "What the Stripe account issues cards in, separated by commas.")),
  LITHIC_API_KEY: words("an API key of a Lithic account")
    .optional()
    .meta(told("none: Lithic is not used", "The key by which cards are issued at Lithic.")),
  LITHIC_WEBHOOK_SECRETS: secretList()
    .optional()
    .meta(
      told(
        "none",
        "The secrets, separated by commas, of Auth Stream Access and events at `BASE_URL/api/webhooks/cards/lithic`.",
      ),
    ),
  LITHIC_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Lithic's simulated cards.")),
  LITHIC_CURRENCIES: currencies()
    .default([])
    .meta(told("USD", "What the card program is in, separated by commas.")),
});

export const payments = () => ({
  LOCAL_BILLING: flag()
    .optional()
    .meta(
      told(
        "1; in production 0",
        "Whether the built-in payment provider sells its plans: checkout and portal pages whose money is made up.",
      ),
    ),
  STRIPE_BILLING_API_KEY: words("a secret or restricted key of a Stripe account")
    .optional()
    .meta(told("none: Stripe Billing is not used", "The key by which subscriptions are sold at Stripe.")),
  STRIPE_BILLING_WEBHOOK_SECRETS: secretList().optional().meta(secretsOf("stripe")),
  PADDLE_API_KEY: words("an API key of a Paddle account")
    .optional()
    .meta(told("none: Paddle is not used", "The key by which subscriptions are sold at Paddle.")),
  PADDLE_WEBHOOK_SECRETS: secretList().optional().meta(secretsOf("paddle")),
  PADDLE_CLIENT_TOKEN: words("a client-side token of that Paddle account")
    .optional()
    .meta(told("none", "What the payment page `BASE_URL/billing/paddle` opens Paddle's checkout with.")),
  PADDLE_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Paddle's test account.")),
  POLAR_ACCESS_TOKEN: words("an organization access token of Polar")
    .optional()
    .meta(told("none: Polar is not used", "The token by which subscriptions are sold at Polar.")),
  POLAR_WEBHOOK_SECRETS: secretList().optional().meta(secretsOf("polar")),
  POLAR_ENVIRONMENT: oneOf("sandbox", "production")
    .default("production")
    .meta(told("`production`", "`sandbox` for Polar's test organizations.")),
  LEMONSQUEEZY_API_KEY: words("an API key of a Lemon Squeezy account")
    .optional()
    .meta(
      told("none: Lemon Squeezy is not used", "The key by which subscriptions are sold at Lemon Squeezy."),
    ),
  LEMONSQUEEZY_STORE_ID: digits("the number of a Lemon Squeezy store")
    .optional()
    .meta(told("none", "The store whose plans are sold.")),
  LEMONSQUEEZY_WEBHOOK_SECRETS: secretList().optional().meta(secretsOf("lemonsqueezy")),
});

const secretsOf = (provider: string) =>
  told(
    "none",
    `The signing secrets, separated by commas, of the endpoint at \`BASE_URL/api/webhooks/billing/${provider}\`.`,
  );
