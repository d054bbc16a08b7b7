import type { Clock } from "@purser/core";
import {
  currencies as currencyList,
  defineProviderSettings,
  nonEmptyText,
  oneOf,
  secretList,
  variableDocs,
} from "@purser/platform/settings";

export interface LithicSettings {
  apiKey: string;
  environment: "sandbox" | "production";
  /**
   * The webhook secrets, `whsec_…`: of Auth Stream Access and of each event subscription. During a rotation, list the
   * old ones too.
   */
  webhookSecrets: readonly string[];
  /** The workflow that enrolls each cardholder; none by default: all cards share the account of the API key. */
  accountHolders?: (typeof lithicAccountHolderWorkflows)[number] | undefined;
  /** The token of the account of the enrolled business, for its authorized users. */
  businessAccount?: string | undefined;
  /** The currencies of the card program; USD by default. */
  currencies?: readonly string[] | undefined;
}

/** How a program enrolls cardholders. */
export const lithicAccountHolderWorkflows = [
  "none",
  "authorized_user",
  "prepaid_card_user",
  "kyc_basic",
] as const;

export const lithicSettings = defineProviderSettings({
  variables: {
    LITHIC_API_KEY: nonEmptyText("an API key of a Lithic account")
      .optional()
      .meta(variableDocs("none: Lithic is not used", "The API key of the Lithic account that issues cards.")),
    LITHIC_WEBHOOK_SECRETS: secretList()
      .optional()
      .describe(
        "The signing secrets, separated by commas, of Auth Stream Access and of the event subscriptions at `BASE_URL/api/webhooks/cards/lithic`.",
      ),
    LITHIC_ENVIRONMENT: oneOf("sandbox", "production")
      .default("production")
      .describe("`production` or `sandbox`, which has only simulated cards."),
    LITHIC_ACCOUNT_HOLDERS: oneOf(...lithicAccountHolderWorkflows)
      .default("none")
      .meta(
        variableDocs(
          "`none`: all cards share one account",
          "How the program enrolls each cardholder, who then has an account of their own: `authorized_user` or `prepaid_card_user` without identity verification (KYC exempt), `kyc_basic` with it.",
        ),
      ),
    LITHIC_BUSINESS_ACCOUNT: nonEmptyText("the token of an account")
      .optional()
      .describe(
        "The token of the account of the enrolled business, which `authorized_user` requires. Nothing else uses it.",
      ),
    LITHIC_CURRENCIES: currencyList()
      .default([])
      .meta(variableDocs("`USD`", "The currencies, separated by commas, of the Lithic card program.")),
  },
  setTogether: [["LITHIC_API_KEY", "LITHIC_WEBHOOK_SECRETS"]],
  // "Pass the account_token of the enrolled business associated with the AUTHORIZED_USER" (SDK, `KYCExempt`).
  requiredByValue: [
    {
      of: "LITHIC_API_KEY",
      name: "LITHIC_ACCOUNT_HOLDERS",
      value: "authorized_user",
      requires: "LITHIC_BUSINESS_ACCOUNT",
    },
  ],
  fromVariables({
    LITHIC_API_KEY: apiKey,
    LITHIC_WEBHOOK_SECRETS: webhookSecrets,
    LITHIC_ENVIRONMENT: environment,
    LITHIC_ACCOUNT_HOLDERS: accountHolders,
    LITHIC_BUSINESS_ACCOUNT: businessAccount,
    LITHIC_CURRENCIES: currencies,
  }): LithicSettings | null {
    if (!apiKey || !webhookSecrets) return null;
    const program = { environment, accountHolders, businessAccount };
    return { apiKey, webhookSecrets, ...program, ...(currencies.length > 0 && { currencies }) };
  },
});

export interface LithicConfig extends LithicSettings {
  /** Overrides the API address of the environment. */
  baseUrl?: string | undefined;
  /** The public address of this service to which Lithic sends webhooks. It has the origin of the pages that show numbers. */
  webhookUrl?: string | undefined;
  /** The timeout of one call in milliseconds; 20,000 by default. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
