import { defineProvider } from "@purser/platform/settings";
import { stripeBillingSettings, stripeIssuingSettings } from "./settings.ts";

export const stripeIssuing = defineProvider({
  settings: stripeIssuingSettings,
  load: async () => (await import("./issuing/index.ts")).stripeIssuer,
});

export const stripeBilling = defineProvider({
  settings: stripeBillingSettings,
  load: async () => (await import("./billing/index.ts")).stripePayments,
});
