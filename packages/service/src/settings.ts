import {
  type Settings,
  SettingsError,
  type VariableDocs,
  flag,
  operationsVariables,
  platformSettings,
  platformVariables,
  variableDocs,
} from "@purser/platform/settings";
import { z } from "zod";
import { type ProvidersSettings, banks, issuers, payments, readConfigured } from "./providers.ts";

/** The settings of one process, read once at its start. docs/settings.md describes every variable. */
export interface ServiceSettings extends Settings, ProvidersSettings {}

/**
 * Reads the environment. Outside production it may write DATA_DIR/secrets.json.
 * Throws {@link SettingsError}, whose message names every variable at fault.
 */
export function readSettings(source: Readonly<Record<string, string | undefined>>): ServiceSettings {
  // An empty variable (`PORT=`) means the same as an absent one.
  const variables = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const production = variables["NODE_ENV"]?.trim() === "production";
  // Checks all variables before reading any, so one message names every fault.
  const { error } = environment(production).safeParse(variables);
  if (error !== undefined) throw new SettingsError(describeIssues(error.issues));
  const own = z.object({
    ...platformVariables(production),
    ...sandboxVariables,
    ...sandboxBillingVariables,
    ...operationsVariables(),
  });
  const { SANDBOX, LOCAL_BILLING, ...platform } = own.parse(variables);
  return {
    ...platformSettings(platform),
    sandbox: SANDBOX ?? !production,
    sandboxBilling: LOCAL_BILLING ?? !production,
    banks: readConfigured(banks, variables),
    issuers: readConfigured(issuers, variables),
    payments: readConfigured(payments, variables),
  };
}

/** Returns the table of docs/settings.md, as Markdown. */
export function environmentTable(): string {
  const rows = Object.entries(shape(true)).map(([name, field]) => {
    const { description, fallback = shownDefault(field) } = field.meta() as unknown as VariableDocs;
    return `| \`${name}\` | ${fallback} | ${description} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

/** Returns the value of an absent variable as its text in the environment. */
function shownDefault(field: z.ZodType): string {
  const value = field.parse(undefined) as string | number | boolean | readonly string[] | undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(Number(value));
  return value === undefined || value.length === 0 ? "none" : `\`${String(value)}\``;
}

const sandboxVariables = {
  SANDBOX: flag()
    .optional()
    .meta(
      variableDocs(
        "1; in production 0",
        "Whether the sandbox banks and the sandbox card issuer are available. They move no real money.",
      ),
    ),
};

const sandboxBillingVariables = {
  LOCAL_BILLING: flag()
    .optional()
    .meta(
      variableDocs(
        "1; in production 0",
        "Whether the built-in payment provider, with its checkout and portal pages, is available. It moves no real money.",
      ),
    ),
};

/** Every variable that the service reads, in the order of docs/settings.md. */
const shape = (production: boolean): Record<string, z.ZodType> => ({
  ...platformVariables(production),
  ...sandboxVariables,
  ...variablesOf(banks),
  ...variablesOf(issuers),
  ...sandboxBillingVariables,
  ...variablesOf(payments),
  ...operationsVariables(),
});

function environment(production: boolean): z.ZodType {
  const providers = [...Object.values(banks), ...Object.values(issuers), ...Object.values(payments)];
  const pairs = providers.flatMap(({ settings }) => settings.setTogether);
  const withPairs = pairs.reduce<z.ZodType<Record<string, unknown>>>(
    (variables, [one, other]) =>
      variables.refine((values) => (values[one] === undefined) === (values[other] === undefined), {
        path: [one],
        error: `must be set together with ${other}`,
      }),
    z.object(shape(production)),
  );
  const requirements = providers.flatMap(({ settings }) => settings.requiredByValue ?? []);
  return requirements.reduce(
    (variables, { of, name, value, requires }) =>
      variables.refine(
        (values) => values[of] === undefined || values[name] !== value || values[requires] !== undefined,
        { path: [requires], error: `must be set if ${name} is ${value}` },
      ),
    withPairs,
  );
}

function variablesOf(
  providers: Readonly<Record<string, { settings: { variables: z.ZodRawShape } }>>,
): Record<string, z.ZodType> {
  return Object.assign({}, ...Object.values(providers).map(({ settings }) => settings.variables));
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const sentences = issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  return `Purser cannot start, because its environment variables are not valid: ${sentences.join("; ")}. docs/settings.md describes every variable.`;
}
