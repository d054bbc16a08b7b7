import type { Clock } from "@purser/core";
import { documented, nonEmptyText } from "@purser/platform/settings";
import { defineProviderSettings } from "@purser/platform/settings";

/** The application's credentials, as Yapily's console shows them. */
export interface YapilySettings {
  applicationId: string;
  applicationSecret: string;
}

export const yapilySettings = defineProviderSettings({
  variables: {
    YAPILY_APPLICATION_ID: nonEmptyText("the id of a Yapily application")
      .optional()
      .meta(documented("none: Yapily is not used", "The application's id at Yapily.")),
    YAPILY_APPLICATION_SECRET: nonEmptyText("the secret of that Yapily application")
      .optional()
      .meta(documented("none", "The secret that belongs to it.")),
  },
  setTogether: [["YAPILY_APPLICATION_ID", "YAPILY_APPLICATION_SECRET"]],
  fromVariables({
    YAPILY_APPLICATION_ID: applicationId,
    YAPILY_APPLICATION_SECRET: applicationSecret,
  }): YapilySettings | null {
    return applicationId && applicationSecret ? { applicationId, applicationSecret } : null;
  },
});

export interface YapilyConfig extends YapilySettings {
  /** Default `https://api.yapily.com`. */
  baseUrl?: string | undefined;
  /** The longest time of one call. Banks behind Yapily are slow: the default is a minute. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
