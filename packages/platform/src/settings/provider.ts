import type { z } from "zod";

/** The configuration of a provider. Its package exports this from `settings.ts`. */
export interface ProviderSettings<Variables extends z.ZodRawShape, Own> {
  /** Each variable carries its row of the README's table; see `documented`. */
  variables: Variables;
  /** Pairs that must be set together: half a credential is a mistake, not a provider that is not configured. */
  setTogether: readonly (readonly [keyof Variables & string, keyof Variables & string])[];
  /** Returns the settings, or null if the provider is not configured. */
  fromVariables(variables: z.output<z.ZodObject<Variables>>): Own | null;
}

/** Infers the types of {@link ProviderSettings} from its variables. */
export function defineProviderSettings<Variables extends z.ZodRawShape, Own>(
  settings: ProviderSettings<Variables, Own>,
): ProviderSettings<Variables, Own> {
  return settings;
}
