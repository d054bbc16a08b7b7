import { defineProvider } from "@purser/platform/settings";
import { paddleSettings } from "./settings.ts";

export const paddle = defineProvider({
  settings: paddleSettings,
  load: async () => (await import("./payments.ts")).paddlePayments,
});
