import type { Clock } from "@purser/core";
import { digits, documented, secretList, nonEmptyText } from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

export interface LemonSqueezySettings {
  /** A key of Settings → API, live or test: it shows what is of the same mode. It works for a year. */
  apiKey: string;
  /** The store whose products are the plans, a number. */
  storeId: string;
  /** The signing secrets of the store's webhooks: two while one takes another's place. */
  webhookSecrets: readonly string[];
}

export const lemonSqueezySettings = defineProviderSettings({
  variables: {
    LEMONSQUEEZY_API_KEY: nonEmptyText("an API key of a Lemon Squeezy account")
      .optional()
      .meta(
        documented(
          "none: Lemon Squeezy is not used",
          "The key by which subscriptions are sold at Lemon Squeezy.",
        ),
      ),
    LEMONSQUEEZY_STORE_ID: digits("the number of a Lemon Squeezy store")
      .optional()
      .meta(documented("none", "The store whose plans are sold.")),
    LEMONSQUEEZY_WEBHOOK_SECRETS: secretList()
      .optional()
      .meta(
        documented(
          "none",
          "The signing secrets, separated by commas, of the endpoint at `BASE_URL/api/webhooks/billing/lemonsqueezy`.",
        ),
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
  /** The API's address, if not Lemon Squeezy's own one. */
  baseUrl?: string | undefined;
  /** The longest time of one call of the port, with all of its requests. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
