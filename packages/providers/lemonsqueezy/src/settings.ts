import type { Clock } from "@purser/core";
import {
  defineProviderSettings,
  digits,
  nonEmptyText,
  secretList,
  variableDocs,
} from "@purser/platform/settings";

export interface LemonSqueezySettings {
  /** An API key from Settings → API, live or test. It sees resources of its own mode only, and expires after a year. */
  apiKey: string;
  /** The number of the store whose products are the plans. */
  storeId: string;
  /** The signing secrets of the store's webhook. There are two during a rotation. */
  webhookSecrets: readonly string[];
}

export const lemonSqueezySettings = defineProviderSettings({
  variables: {
    LEMONSQUEEZY_API_KEY: nonEmptyText("an API key of a Lemon Squeezy account")
      .optional()
      .meta(
        variableDocs(
          "none: Lemon Squeezy is not used",
          "The API key of the Lemon Squeezy account that sells subscriptions.",
        ),
      ),
    LEMONSQUEEZY_STORE_ID: digits("the number of a Lemon Squeezy store")
      .optional()
      .describe("The number of the Lemon Squeezy store."),
    LEMONSQUEEZY_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of the webhook endpoint at `BASE_URL/api/webhooks/billing/lemonsqueezy`.",
      ),
  },
  setTogether: [
    ["LEMONSQUEEZY_API_KEY", "LEMONSQUEEZY_STORE_ID"],
    ["LEMONSQUEEZY_API_KEY", "LEMONSQUEEZY_WEBHOOK_SECRETS"],
  ],
  fromVariables({
    LEMONSQUEEZY_API_KEY: apiKey,
    LEMONSQUEEZY_STORE_ID: storeId,
    LEMONSQUEEZY_WEBHOOK_SECRETS: webhookSecrets,
  }): LemonSqueezySettings | null {
    return apiKey && storeId && webhookSecrets ? { apiKey, storeId, webhookSecrets } : null;
  },
});

export interface LemonSqueezyConfig extends LemonSqueezySettings {
  /** The API's base URL. The default is Lemon Squeezy's. */
  baseUrl?: string | undefined;
  /** The timeout of one call of the port, across all of its requests. The default is 7 seconds. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
