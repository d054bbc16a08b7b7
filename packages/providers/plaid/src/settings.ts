import type { Clock } from "@purser/core";
import { documented, oneOf, nonEmptyText } from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

export interface PlaidSettings {
  clientId: string;
  secret: string;
  environment: "sandbox" | "production";
}

export const plaidSettings = defineProviderSettings({
  variables: {
    PLAID_CLIENT_ID: nonEmptyText("the client id of a Plaid account")
      .optional()
      .meta(
        documented("none: Plaid is not used", "The client id at Plaid; its webhooks come to `BASE_URL`."),
      ),
    PLAID_SECRET: nonEmptyText("the secret of that Plaid environment")
      .optional()
      .meta(documented("none", "The secret that belongs to it.")),
    PLAID_ENVIRONMENT: oneOf("sandbox", "production")
      .default("production")
      .meta(documented("`production`", "`sandbox` for Plaid's own test banks.")),
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
  /** Our public address for Plaid's webhooks. */
  webhookUrl: string;
  /** The name that people read of the service that wants their data, up to 30 characters. */
  clientName?: string | undefined;
  /** The countries whose banks may be linked, ISO 3166-1 alpha-2 in upper case, the most usual one first. */
  countryCodes?: readonly string[] | undefined;
  /** The pause before the second attempt of a call that failed in passing; twice as long before the third. */
  retryPauseMs?: number | undefined;
  /** The API's address, if not Plaid's own one of the environment. */
  basePath?: string | undefined;
  /** The longest time of a call; 20 seconds by default. */
  timeoutMs?: number | undefined;
}
