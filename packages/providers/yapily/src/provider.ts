import { defineProvider } from "@purser/platform/settings";
import { yapilySettings } from "./settings.ts";

export const yapily = defineProvider({
  settings: yapilySettings,
  // Yapily sends webhooks about payments, not about new transactions.
  hasWebhooks: false,
  load: async () => (await import("./bank.ts")).yapilyBank,
});
