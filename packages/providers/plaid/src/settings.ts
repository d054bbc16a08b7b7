import type { Clock } from "@purser/core";
import {
  defineProviderSettings,
  flag,
  integerBetween,
  nonEmptyText,
  oneOf,
  variable,
  variableDocs,
} from "@purser/platform/settings";
import type { CountryCode } from "plaid";

// This file must not import the SDK: the service reads settings before it knows which providers it needs.

const environments = ["sandbox", "production"] as const;

/** The languages of Link. Source: `LinkTokenCreateRequest.language` of the SDK. */
const languages = [
  ...(["da", "nl", "en", "et", "fr", "de", "hi", "it", "lv", "lt"] as const),
  ...(["no", "pl", "pt", "ro", "es", "sv", "vi"] as const),
] as const;

/** The countries with banks. Source: `CountryCode` of the SDK. */
const countries = [
  ...(["US", "GB", "ES", "NL", "FR", "IE", "CA", "DE", "IT", "PL"] as const),
  ...(["DK", "NO", "SE", "EE", "LT", "LV", "PT", "BE", "AT", "FI"] as const),
] as const satisfies `${CountryCode}`[];

type Country = (typeof countries)[number];

export interface PlaidSettings {
  clientId: string;
  secret: string;
  /** `sandbox` has invented banks only. Each environment has its own secret and its own tokens. */
  environment: (typeof environments)[number];
  /** The countries of the banks that can be linked, ISO 3166-1 alpha-2, preferred first. */
  countryCodes: readonly Country[];
  /** The name that Plaid shows to the person, of at most 30 characters. */
  clientName: string;
  /** The language of Link. */
  language: (typeof languages)[number];
  /** How many days of transactions a new link requests. It cannot be changed afterwards. */
  daysRequested: number;
  /** Whether a sync that a person requests makes Plaid read the bank first. Plaid bills each such request. */
  refreshesOnRequest: boolean;
}

export const plaidSettings = defineProviderSettings({
  variables: {
    PLAID_CLIENT_ID: nonEmptyText("the client id of a Plaid account")
      .optional()
      .meta(variableDocs("none: Plaid is not used", "The client ID of the Plaid account.")),
    PLAID_SECRET: nonEmptyText("the secret of that Plaid environment")
      .optional()
      .describe("The secret of the Plaid account for `PLAID_ENVIRONMENT`."),
    PLAID_ENVIRONMENT: oneOf(...environments)
      .default("production")
      .describe("`production` or `sandbox`, which has only test banks."),
    PLAID_COUNTRIES: countryList()
      .default(["GB"])
      .describe(
        "The countries whose banks can be linked through Plaid, separated by commas, the preferred one first.",
      ),
    PLAID_CLIENT_NAME: variable("a name of 1 to 30 characters", (text) =>
      // Link shows "This Application" instead of a longer name.
      text.length >= 1 && text.length <= 30 ? text : null,
    )
      .default("Purser")
      .describe("The name that Plaid's page shows to the person."),
    PLAID_LANGUAGE: oneOf(...languages)
      .default("en")
      .describe("The language of Plaid's page."),
    PLAID_DAYS_REQUESTED: integerBetween(30, 730)
      .default(730)
      .describe("How many days of transactions a new link through Plaid requests, from 30 to 730."),
    PLAID_REFRESH: flag()
      .default(false)
      .describe(
        "Whether a sync that a person requests makes Plaid read the bank first. Plaid enables this on request, and bills it.",
      ),
  },
  setTogether: [["PLAID_CLIENT_ID", "PLAID_SECRET"]],
  fromVariables({
    PLAID_CLIENT_ID: clientId,
    PLAID_SECRET: secret,
    PLAID_ENVIRONMENT: environment,
    PLAID_COUNTRIES: countryCodes,
    PLAID_CLIENT_NAME: clientName,
    PLAID_LANGUAGE: language,
    PLAID_DAYS_REQUESTED: daysRequested,
    PLAID_REFRESH: refreshesOnRequest,
  }): PlaidSettings | null {
    if (!clientId || !secret) return null;
    const credentials = { clientId, secret, environment };
    return { ...credentials, countryCodes, clientName, language, daysRequested, refreshesOnRequest };
  },
});

function countryList() {
  const expectation = `countries of Plaid, separated by commas: ${countries.join(", ")}`;
  return variable(expectation, (text): readonly Country[] | null => {
    const codes = text.split(",").map((code) => code.trim().toUpperCase());
    const known = codes.flatMap((code) => countries.find((country) => country === code) ?? []);
    return known.length === codes.length ? [...new Set(known)] : null;
  });
}

export interface PlaidConfig extends PlaidSettings {
  clock: Clock;
  /** The public URL to which Plaid sends webhooks. */
  webhookUrl: string;
  /** Replaces the URL of the environment. */
  basePath?: string | undefined;
  /** The timeout of each request. Default: 20 seconds. */
  timeoutMs?: number | undefined;
}
