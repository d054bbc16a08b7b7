import { Problem } from "@purser/core";

/**
 * Opens the configured providers of an area. `at` loads each adapter on its first use, and throws PROVIDER_NOT_CONFIGURED
 * for any other name.
 *
 * @example
 * const banks: Banks = openProviders(new Map([["plaid", async () => plaidBank(config)]]));
 */
export function openProviders<Name extends string, Provider>(
  loaders: ReadonlyMap<Name, () => Promise<Provider>>,
): { configured: readonly Name[]; at: (name: Name) => Promise<Provider> } {
  const loaded = new Map<Name, Promise<Provider>>();
  return {
    configured: [...loaders.keys()],
    async at(name) {
      const load = loaders.get(name);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let provider = loaded.get(name);
      if (provider === undefined) loaded.set(name, (provider = load()));
      return provider;
    },
  };
}
