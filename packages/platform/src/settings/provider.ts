import type { z } from "zod";

/** How a provider is configured: its adapter's folder exports this from `settings.ts`. */
export interface ProviderSettings<Variables extends z.ZodRawShape, Own> {
  /** Each with its row of the README's table, see `documented`. */
  variables: Variables;
  /** Pairs of variables: half a credential is a slip, and must not read as none. */
  setTogether: readonly (readonly [keyof Variables & string, keyof Variables & string])[];
  /** The settings, or null where the provider is not configured. */
  fromVariables(variables: z.output<z.ZodObject<Variables>>): Own | null;
}

/** Infers the types of {@link ProviderSettings} from its variables. */
export function defineProviderSettings<Variables extends z.ZodRawShape, Own>(
  settings: ProviderSettings<Variables, Own>,
): ProviderSettings<Variables, Own> {
  return settings;
}
