import { defineProvider } from "@purser/platform/settings";
import { lemonSqueezySettings } from "./settings.ts";

export const lemonSqueezy = defineProvider({
  settings: lemonSqueezySettings,
  load: async () => (await import("./payments.ts")).lemonSqueezyPayments,
});
