export { GetSettings, OrganizationSettings, UpdateSettings } from "./contract.ts";
export { updateSettings } from "./service.ts";
