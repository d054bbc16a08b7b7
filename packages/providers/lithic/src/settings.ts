import type { Clock } from "@purser/core";
import {
  currencies as currencyList,
  defineProviderSettings,
  documented,
  nonEmptyText,
  oneOf,
  secretList,
} from "@purser/platform/settings";

export interface LithicSettings {
  apiKey: string;
  environment: "sandbox" | "production";
  /**
   * The webhook secrets, `whsec_…`: of Auth Stream Access and of each event subscription. During a rotation, list the
   * old ones too.
   */
  webhookSecrets: readonly string[];
  /** The currencies of the card program; USD by default. */
  currencies?: readonly string[] | undefined;
}

export const lithicSettings = defineProviderSettings({
  variables: {
    LITHIC_API_KEY: nonEmptyText("an API key of a Lithic account")
      .optional()
      .meta(documented("none: Lithic is not used", "The API key of the Lithic account that issues cards.")),
    LITHIC_WEBHOOK_SECRETS: secretList()
      .optional()
      .meta(
        documented(
          "none",
          "The signing secrets, separated by commas, of Auth Stream Access and of the event subscriptions at `BASE_URL/api/webhooks/cards/lithic`.",
        ),
      ),
    LITHIC_ENVIRONMENT: oneOf("sandbox", "production")
      .default("production")
      .meta(documented("`production`", "`production` or `sandbox`, which has only simulated cards.")),
    LITHIC_CURRENCIES: currencyList()
      .default([])
      .meta(documented("`USD`", "The currencies, separated by commas, of the Lithic card program.")),
  },
  setTogether: [["LITHIC_API_KEY", "LITHIC_WEBHOOK_SECRETS"]],
  fromVariables({
    LITHIC_API_KEY: apiKey,
    LITHIC_WEBHOOK_SECRETS: webhookSecrets,
    LITHIC_ENVIRONMENT: environment,
    LITHIC_CURRENCIES: currencies,
  }): LithicSettings | null {
    if (!apiKey || !webhookSecrets) return null;
    return { apiKey, webhookSecrets, environment, ...(currencies.length > 0 && { currencies }) };
  },
});

export interface LithicConfig extends LithicSettings {
  /** Overrides the API address of the environment. */
  baseUrl?: string | undefined;
  /** The timeout of one call in milliseconds; 20,000 by default. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
