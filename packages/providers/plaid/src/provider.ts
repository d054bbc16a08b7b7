import { defineProvider } from "@purser/platform/settings";
import { plaidSettings } from "./settings.ts";

export const plaid = defineProvider({
  settings: plaidSettings,
  load: async () => (await import("./bank.ts")).plaidBank,
});
