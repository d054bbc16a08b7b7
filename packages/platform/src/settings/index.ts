export {
  currencies,
  digits,
  documented,
  flag,
  nonEmptyText,
  oneOf,
  secretList,
  variable,
  type VariableDocs,
} from "./fields.ts";
export { platformSettings, processEnvironment, type Settings, SettingsError } from "./platform-settings.ts";
export { defineProviderSettings, type ProviderSettings } from "./provider.ts";
export { operationsVariables, platformVariables } from "./variables.ts";
