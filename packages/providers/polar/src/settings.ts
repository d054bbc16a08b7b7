import {
  defineProviderSettings,
  nonEmptyText,
  oneOf,
  secretList,
  variableDocs,
} from "@purser/platform/settings";

const environments = ["sandbox", "production"] as const;

export interface PolarSettings {
  /**
   * An organization access token, `polar_oat_…`, with the scopes `products:read`, `checkouts:write`, `customers:write`,
   * `members:write`, `customer_sessions:write` and `subscriptions:write`.
   */
  accessToken: string;
  /** The signing secrets of the webhook endpoint, as Polar shows them. There are two during a rotation. */
  webhookSecrets: readonly string[];
  environment: (typeof environments)[number];
}

export const polarSettings = defineProviderSettings({
  variables: {
    POLAR_ACCESS_TOKEN: nonEmptyText("an organization access token of Polar")
      .optional()
      .meta(
        variableDocs(
          "none: Polar is not used",
          "The access token of the Polar organization that sells subscriptions.",
        ),
      ),
    POLAR_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of the webhook endpoint at `BASE_URL/api/webhooks/billing/polar`.",
      ),
    POLAR_ENVIRONMENT: oneOf(...environments)
      .default("production")
      .describe("`production` or `sandbox`, which has only test organizations."),
  },
  setTogether: [["POLAR_ACCESS_TOKEN", "POLAR_WEBHOOK_SECRETS"]],
  fromVariables({
    POLAR_ACCESS_TOKEN: accessToken,
    POLAR_WEBHOOK_SECRETS: webhookSecrets,
    POLAR_ENVIRONMENT: environment,
  }): PolarSettings | null {
    return accessToken && webhookSecrets ? { accessToken, webhookSecrets, environment } : null;
  },
});

export interface PolarConfig extends PolarSettings {
  /** The API's base URL. The default is Polar's for the environment. */
  baseUrl?: string | undefined;
  /** The timeout of one call of the port, across all of its requests. The default is 7 seconds. */
  timeoutMs?: number | undefined;
}
