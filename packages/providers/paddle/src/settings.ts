import type { Clock } from "@purser/core";
import { documented, oneOf, secretList, nonEmptyText } from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

export interface PaddleSettings {
  /**
   * An API key, `pdl_sdbx_apikey_…` or `pdl_live_apikey_…`, that may read products and prices, read and write
   * customers, transactions and subscriptions, and write customer portal sessions.
   */
  apiKey: string;
  /** The secrets of the notification destination, `pdl_ntfset_…`: two of them while one is rotated. */
  webhookSecrets: readonly string[];
  /** Paddle.js in the browser starts with it; it is no secret. */
  clientToken: string;
  environment: "sandbox" | "production";
}

export const paddleSettings = defineProviderSettings({
  variables: {
    PADDLE_API_KEY: nonEmptyText("an API key of a Paddle account")
      .optional()
      .meta(documented("none: Paddle is not used", "The key by which subscriptions are sold at Paddle.")),
    PADDLE_WEBHOOK_SECRETS: secretList()
      .optional()
      .meta(
        documented(
          "none",
          "The signing secrets, separated by commas, of the endpoint at `BASE_URL/api/webhooks/billing/paddle`.",
        ),
      ),
    PADDLE_CLIENT_TOKEN: nonEmptyText("a client-side token of that Paddle account")
      .optional()
      .meta(
        documented("none", "What the payment page `BASE_URL/billing/paddle` opens Paddle's checkout with."),
      ),
    PADDLE_ENVIRONMENT: oneOf("sandbox", "production")
      .default("production")
      .meta(documented("`production`", "`sandbox` for Paddle's test account.")),
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
  /** The page of ours on which Paddle.js runs. Paddle has to have approved its domain. */
  checkoutUrl: string;
  /** The API's address, if not Paddle's own one of the environment. */
  baseUrl?: string | undefined;
  /** The longest time of one call of the port, with all of its requests; 7 seconds by default. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
