import type { Clock } from "@purser/core";
import { defineProviderSettings, documented, nonEmptyText, oneOf } from "@purser/platform/settings";

// This file must not import the SDK: the service reads settings before it knows which providers it needs.

const environments = ["sandbox", "production"] as const;

export interface PlaidSettings {
  clientId: string;
  secret: string;
  /** `sandbox` has invented banks only. Each environment has its own secret and its own tokens. */
  environment: (typeof environments)[number];
}

export const plaidSettings = defineProviderSettings({
  variables: {
    PLAID_CLIENT_ID: nonEmptyText("the client id of a Plaid account")
      .optional()
      .meta(
        documented(
          "none: Plaid is not used",
          "The client id of the Plaid account. Plaid sends webhooks to `BASE_URL`.",
        ),
      ),
    PLAID_SECRET: nonEmptyText("the secret of that Plaid environment")
      .optional()
      .meta(documented("none", "The secret of that Plaid client in this environment.")),
    PLAID_ENVIRONMENT: oneOf(...environments)
      .default("production")
      .meta(documented("`production`", "`sandbox` for Plaid's test banks.")),
  },
  setTogether: [["PLAID_CLIENT_ID", "PLAID_SECRET"]],
  fromVariables({
    PLAID_CLIENT_ID: clientId,
    PLAID_SECRET: secret,
    PLAID_ENVIRONMENT: environment,
  }): PlaidSettings | null {
    return clientId && secret ? { clientId, secret, environment } : null;
  },
});

export interface PlaidConfig extends PlaidSettings {
  clock: Clock;
  /** The public URL to which Plaid sends webhooks. */
  webhookUrl: string;
  /** The name that Plaid shows to the person. Cut to 30 characters. Default: Purser. */
  clientName?: string | undefined;
  /** The countries of the banks that can be linked, ISO 3166-1 alpha-2, upper case, preferred first. Default: GB. */
  countryCodes?: readonly string[] | undefined;
  /** The pause before the second attempt after the token exchange. It doubles before the third. Default: 500. */
  retryPauseMs?: number | undefined;
  /** Replaces the URL of the environment. */
  basePath?: string | undefined;
  /** The timeout of each request. Default: 20 seconds. */
  timeoutMs?: number | undefined;
}
