import { defineProvider } from "@purser/platform/settings";
import { polarSettings } from "./settings.ts";

export const polar = defineProvider({
  settings: polarSettings,
  load: async () => (await import("./payments.ts")).polarPayments,
});
