import type { Clock } from "@purser/core";
import { z } from "zod";

/** The configuration of a provider. Its package declares it in `settings.ts`. */
export interface ProviderSettings<Variables extends z.ZodRawShape, Own> {
  /** Each variable carries its row of docs/settings.md; see `VariableDocs`. */
  variables: Variables;
  /** Pairs that must be set together: half a credential is a mistake, not a provider that is not configured. */
  setTogether: readonly (readonly [keyof Variables & string, keyof Variables & string])[];
  /** Variables that must be set if another one has a certain value. */
  requiredByValue?: readonly RequiredByValue<keyof Variables & string>[];
  /** Returns the settings, or null if the provider is not configured. */
  fromVariables(variables: z.output<z.ZodObject<Variables>>): Own | null;
}

interface RequiredByValue<Name extends string> {
  /** The variable without which the provider is not configured: then nothing is required. */
  of: Name;
  name: Name;
  value: string;
  requires: Name;
}

/** Infers the types of {@link ProviderSettings} from its variables. */
export function defineProviderSettings<Variables extends z.ZodRawShape, Own>(
  settings: ProviderSettings<Variables, Own>,
): ProviderSettings<Variables, Own> {
  return settings;
}

/** What an adapter receives besides its own settings. */
export interface ProviderEnvironment {
  clock: Clock;
  /** The public address of this service to which the provider sends webhooks. */
  webhookUrl: string;
  /** The page of this service that opens the checkout of a payment provider without hosted pages. */
  checkoutUrl: string;
}

/** A provider as its package exports it from `provider.ts`. It is loaded with every service, so it loads no SDK. */
export interface Provider<Own, Adapter> {
  settings: {
    variables: z.ZodRawShape;
    setTogether: readonly (readonly [string, string])[];
    requiredByValue?: readonly RequiredByValue<string>[];
  };
  hasWebhooks: boolean;
  /** Returns null if the provider is not configured. */
  read(variables: Readonly<Record<string, string | undefined>>): Own | null;
  /** Loads the adapter with its SDK. */
  load(own: Own, environment: ProviderEnvironment): Promise<Adapter>;
}

/**
 * Defines a provider from its settings and its adapter, which `load` imports on first use.
 *
 * @example
 * export const plaid = defineProvider({
 *   settings: plaidSettings,
 *   load: async () => (await import("./bank.ts")).plaidBank,
 * });
 */
export function defineProvider<Variables extends z.ZodRawShape, Own extends object, Adapter>(definition: {
  settings: ProviderSettings<Variables, Own>;
  /** False for a bank provider that the service must poll. Default: true. */
  hasWebhooks?: boolean;
  load: () => Promise<(config: Own & ProviderEnvironment) => Adapter>;
}): Provider<Own, Adapter> {
  const { settings, hasWebhooks = true, load } = definition;
  return {
    settings,
    hasWebhooks,
    read: (variables) => settings.fromVariables(z.object(settings.variables).parse(variables)),
    load: async (own, environment) => (await load())({ ...own, ...environment }),
  };
}
