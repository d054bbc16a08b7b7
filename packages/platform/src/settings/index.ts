export {
  currencies,
  digits,
  flag,
  integerBetween,
  nonEmptyText,
  oneOf,
  secretList,
  variable,
  type VariableDocs,
  variableDocs,
} from "./fields.ts";
export {
  type HttpLimits,
  platformSettings,
  processEnvironment,
  type Settings,
  SettingsError,
} from "./platform-settings.ts";
export { type Provider, defineProvider, defineProviderSettings } from "./provider.ts";
export { operationsVariables, platformVariables } from "./variables.ts";
