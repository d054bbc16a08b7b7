import { defineProvider } from "@purser/platform/settings";
import { lithicSettings } from "./settings.ts";

export const lithic = defineProvider({
  settings: lithicSettings,
  load: async () => (await import("./issuer.ts")).lithicIssuer,
});
