import type { Clock } from "@purser/core";
import { defineProviderSettings, nonEmptyText, variableDocs } from "@purser/platform/settings";

/** The credentials of the application in Yapily's console. */
export interface YapilySettings {
  applicationId: string;
  applicationSecret: string;
}

export const yapilySettings = defineProviderSettings({
  variables: {
    YAPILY_APPLICATION_ID: nonEmptyText("the id of a Yapily application")
      .optional()
      .meta(variableDocs("none: Yapily is not used", "The ID of the Yapily application.")),
    YAPILY_APPLICATION_SECRET: nonEmptyText("the secret of that Yapily application")
      .optional()
      .describe("The secret of the Yapily application."),
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
  /** Replaces `https://api.yapily.com`. */
  baseUrl?: string | undefined;
  /** The timeout of each request. Banks behind Yapily are slow. Default: 60 seconds. */
  timeoutMs?: number | undefined;
  clock: Clock;
}
