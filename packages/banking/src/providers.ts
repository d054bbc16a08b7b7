import { Problem } from "@purser/core";
import type { BankProvider, Banks, ProviderName } from "./ports.ts";

/** Opens the configured bank providers. Each adapter is loaded on its first use. */
export function openBanks(loaders: ReadonlyMap<ProviderName, () => Promise<BankProvider>>): Banks {
  const loaded = new Map<ProviderName, Promise<BankProvider>>();
  return {
    configured: [...loaders.keys()],
    async at(provider) {
      const load = loaders.get(provider);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let bank = loaded.get(provider);
      if (bank === undefined) loaded.set(provider, (bank = load()));
      return bank;
    },
  };
}
