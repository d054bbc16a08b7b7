import type { Clock } from "@purser/core";
import {
  defineProviderSettings,
  nonEmptyText,
  oneOf,
  secretList,
  variableDocs,
} from "@purser/platform/settings";

const environments = ["sandbox", "production"] as const;

export interface PaddleSettings {
  /**
   * An API key, `pdl_sdbx_apikey_…` or `pdl_live_apikey_…`, with permission to read products and prices, to read and
   * write customers, transactions and subscriptions, and to write customer portal sessions.
   */
  apiKey: string;
  /** The secrets of the notification destination, `pdl_ntfset_…`. There are two during a rotation. */
  webhookSecrets: readonly string[];
  /** Authenticates Paddle.js in the browser. It is public. */
  clientToken: string;
  environment: (typeof environments)[number];
}

export const paddleSettings = defineProviderSettings({
  variables: {
    PADDLE_API_KEY: nonEmptyText("an API key of a Paddle account")
      .optional()
      .meta(
        variableDocs(
          "none: Paddle is not used",
          "The API key of the Paddle account that sells subscriptions.",
        ),
      ),
    PADDLE_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of the webhook endpoint at `BASE_URL/api/webhooks/billing/paddle`.",
      ),
    PADDLE_CLIENT_TOKEN: nonEmptyText("a client-side token of that Paddle account")
      .optional()
      .describe(
        "The client-side token with which the page `BASE_URL/billing/paddle` opens Paddle's checkout.",
      ),
    PADDLE_ENVIRONMENT: oneOf(...environments)
      .default("production")
      .describe("`production` or `sandbox`, which is a separate test account."),
  },
  setTogether: [
    ["PADDLE_API_KEY", "PADDLE_WEBHOOK_SECRETS"],
    ["PADDLE_API_KEY", "PADDLE_CLIENT_TOKEN"],
  ],
  fromVariables({
    PADDLE_API_KEY: apiKey,
    PADDLE_WEBHOOK_SECRETS: webhookSecrets,
    PADDLE_CLIENT_TOKEN: clientToken,
    PADDLE_ENVIRONMENT: environment,
  }): PaddleSettings | null {
    return apiKey && webhookSecrets && clientToken
      ? { apiKey, webhookSecrets, clientToken, environment }
      : null;
  },
});

export interface PaddleConfig extends Omit<PaddleSettings, "clientToken"> {
  /** Our page on which Paddle.js runs. Paddle must approve its domain. */
  checkoutUrl: string;
  /** The API's base URL. The default is Paddle's for the environment. */
  baseUrl?: string | undefined;
  /** The timeout of one call of the port, across all of its requests. The default is 7 seconds. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
